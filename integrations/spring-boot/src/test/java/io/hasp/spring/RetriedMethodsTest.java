package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;

/** {@code @Retryable} of Spring Retry on a locked method. */
@Timeout(60)
class RetriedMethodsTest {
    static class Work {
        private final ObjectProvider<Lease> lease;
        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        Work(ObjectProvider<Lease> lease) {
            this.lease = lease;
        }

        @Locked(value = "retried", waitAtMost = "0s")
        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 10))
        public int third() {
            tokens.add(lease.getObject().fencingToken());
            if (tokens.size() < 3) {
                throw new IllegalStateException("not yet");
            }
            return tokens.size();
        }

        /** Its proxy has no fields. */
        List<Long> tokens() {
            return tokens;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry
    static class Retrying {
        @Bean
        Work work(ObjectProvider<Lease> lease) {
            return new Work(lease);
        }
    }

    private final ApplicationContextRunner shop =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://retried").withUserConfiguration(Retrying.class);

    @Test
    void all_attempts_are_made_under_one_lease() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            assertThat(work.third()).isEqualTo(3);
            assertThat(work.tokens()).hasSize(3).containsOnly(work.tokens().get(0));
        });
    }

    @Test
    void a_busy_lock_is_no_failed_attempt() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            Lease held = CompletableFuture.supplyAsync(() ->
                            context.getBean(LockClient.class).lock("retried").tryAcquire())
                    .get(10, TimeUnit.SECONDS)
                    .orElseThrow();
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(work::third);
            held.close();
        });
    }
}
