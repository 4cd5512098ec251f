package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.LockedAutoConfiguration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A context within another one, whose client it uses. */
@Timeout(60)
class ParentContextTest {
    private static final String SERVICE = "memory://parents";

    /** Of beans, and whether each of them could take a lock. */
    static final class Ends {
        final List<String> order = new CopyOnWriteArrayList<>();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Outer {
        @Bean
        Ends ends() {
            return new Ends();
        }

        @Bean
        DisposableBean outerBean(Ends ends, LockClient locks) {
            return () -> ends.order.add("outer " + takes(locks));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Inner {
        @Bean
        ShutdownTest.Progress progress() {
            return new ShutdownTest.Progress();
        }

        @Bean
        ShutdownTest.Work work(ShutdownTest.Progress progress) {
            return new ShutdownTest.Work(progress);
        }

        @Bean
        DisposableBean innerBean(Ends ends, LockClient locks) {
            return () -> ends.order.add("inner " + takes(locks));
        }
    }

    private final ConfigurableApplicationContext outer = new SpringApplicationBuilder(Outer.class)
            .web(WebApplicationType.NONE)
            .properties("hasp.uri=" + SERVICE)
            .run();
    private final ConfigurableApplicationContext inner = new SpringApplicationBuilder(Inner.class)
            .parent(outer)
            .web(WebApplicationType.NONE)
            .run();

    @AfterEach
    void close() {
        outer.close();
    }

    private static boolean takes(LockClient locks) {
        return locks.lock("at the end")
                .tryAcquire()
                .map(lease -> {
                    lease.close();
                    return true;
                })
                .orElse(false);
    }

    @Test
    void the_end_of_the_inner_one_leaves_the_client_to_the_outer_one() throws Exception {
        LockClient locks = outer.getBean(LockClient.class);
        assertThat(inner.getBean(LockClient.class)).isSameAs(locks);
        inner.getBean(ShutdownTest.Work.class).next();
        Lease held = CompletableFuture.supplyAsync(() -> locks.lock("held").tryAcquire())
                .get(10, TimeUnit.SECONDS)
                .orElseThrow();
        inner.close();
        assertThat(held.state()).isEqualTo(LeaseState.HELD);
        assertThat(takes(locks)).isTrue();
        held.close();
    }

    @Test
    void the_end_of_the_outer_one_ends_the_inner_one_first_and_waits_for_its_job() throws Exception {
        List<String> ends = outer.getBean(Ends.class).order;
        ShutdownTest.Progress progress = inner.getBean(ShutdownTest.Progress.class);
        ShutdownTest.Work work = inner.getBean(ShutdownTest.Work.class);
        CompletableFuture<Void> job = CompletableFuture.runAsync(ShutdownTest.quietly(work::run));
        assertThat(progress.begun.await(10, TimeUnit.SECONDS)).isTrue();
        try (LockClient other = LockClient.connect(SERVICE)) {
            CompletableFuture<Boolean> endedFirst = other.lock("job")
                    .acquireAsync()
                    .thenApply(lease -> {
                        lease.releaseAsync();
                        return progress.ended.getCount() == 0;
                    });
            outer.close();
            assertThat(endedFirst.get(10, TimeUnit.SECONDS))
                    .as("the job had ended when another client had its lock")
                    .isTrue();
        }
        job.get(10, TimeUnit.SECONDS);
        assertThat(inner.isActive()).isFalse();
        assertThat(ends).containsExactly("inner true", "outer true");
    }
}
