package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** {@code @Retryable} of Spring 7 on a locked method. Not compiled with Spring Boot 3. */
@Timeout(60)
class ResilientMethodsTest {
    static class Work {
        private final ObjectProvider<Lease> lease;
        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        Work(ObjectProvider<Lease> lease) {
            this.lease = lease;
        }

        @Locked(value = "retried", waitAtMost = "0s")
        @Retryable(maxRetries = 1_000, delay = 20)
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
    @EnableResilientMethods
    static class Retrying {
        @Bean
        Work work(ObjectProvider<Lease> lease) {
            return new Work(lease);
        }
    }

    private final ApplicationContextRunner shop =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://resilient").withUserConfiguration(Retrying.class);

    @Test
    void each_attempt_takes_the_lock_anew() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            assertThat(work.third()).isEqualTo(3);
            assertThat(work.tokens()).hasSize(3).doesNotHaveDuplicates().isSorted();
        });
    }

    @Test
    void a_busy_lock_is_an_attempt_that_failed() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            Lease held = CompletableFuture.supplyAsync(() ->
                            context.getBean(LockClient.class).lock("retried").tryAcquire())
                    .get(10, TimeUnit.SECONDS)
                    .orElseThrow();
            CompletableFuture<Integer> call = CompletableFuture.supplyAsync(work::third);
            assertThat(call)
                    .failsWithin(Duration.ofMillis(300))
                    .withThrowableThat()
                    .isInstanceOf(TimeoutException.class);
            held.close();
            assertThat(call).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(3);
        });
    }
}
