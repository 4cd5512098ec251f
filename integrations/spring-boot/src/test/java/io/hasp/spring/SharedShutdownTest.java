package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientClosedException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Several clients of one context, which share the time that the context's end has. */
@Timeout(60)
@InTier(Tier.STANDARD)
class SharedShutdownTest {
    private static final Duration WITHIN = Duration.ofSeconds(4);
    /** The client's time for interrupted work and for answers, and a busy machine. */
    private static final Duration SLACK = Duration.ofMillis(2500);

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final String service = "memory://shared-" + TESTS.incrementAndGet();
    private final ApplicationContextRunner two = Boot.withHasp()
            .withPropertyValues(
                    "hasp.clients.first.uri=" + service + "-first",
                    "hasp.clients.second.uri=" + service + "-second",
                    "hasp.close-within=" + WITHIN.toSeconds() + "s");

    private static LockClient client(ConfigurableApplicationContext context, String name) {
        return context.getBean(name + "LockClient", LockClient.class);
    }

    private static Lease takenElsewhere(LockClient client) {
        return CompletableFuture.supplyAsync(() -> client.lock("stuck").tryAcquire())
                .join()
                .orElseThrow();
    }

    private static Duration ending(ConfigurableApplicationContext context) {
        long begun = System.nanoTime();
        context.close();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void two_clients_with_work_that_does_not_end_wait_at_the_same_time() {
        two.run(context -> {
            List<Lease> stuck = new ArrayList<>();
            stuck.add(takenElsewhere(client(context, "first")));
            stuck.add(takenElsewhere(client(context, "second")));
            assertThat(ending(context.getSourceApplicationContext())).isBetween(WITHIN, WITHIN.plus(SLACK));
            stuck.forEach(Lease::close);
        });
    }

    @Test
    void the_time_that_other_beans_took_to_end_is_part_of_it() {
        two.withBean(
                        "slow",
                        DisposableBean.class,
                        () -> () -> Thread.sleep(WITHIN.minusSeconds(1).toMillis()))
                .run(context -> {
                    Lease stuck = takenElsewhere(client(context, "first"));
                    assertThat(ending(context.getSourceApplicationContext())).isBetween(WITHIN, WITHIN.plus(SLACK));
                    stuck.close();
                });
    }

    @Test
    void a_client_without_work_fails_its_waiters_at_once() {
        two.withPropertyValues("hasp.close-within=30s").run(context -> {
            try (LockClient other = LockClient.connect(service + "-first")) {
                Lease taken = other.lock("wanted").tryAcquire().orElseThrow();
                CompletableFuture<Lease> waiter =
                        client(context, "first").lock("wanted").acquireAsync();
                Lease stuck = takenElsewhere(client(context, "second"));
                CompletableFuture<Duration> ended =
                        CompletableFuture.supplyAsync(() -> ending(context.getSourceApplicationContext()));
                assertThat(waiter)
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .withCauseInstanceOf(ClientClosedException.class);
                assertThat(ended).as("the end of the context").isNotDone();
                stuck.close();
                assertThat(ended).succeedsWithin(Duration.ofSeconds(10));
                taken.close();
            }
        });
    }

    /** Its own work can't end while the thread waits, whichever of the clients closes first. */
    @Test
    void what_the_closing_thread_holds_is_not_waited_for() {
        two.withPropertyValues("hasp.close-within=30s").run(context -> {
            Lease first = client(context, "first").lock("own").tryAcquire().orElseThrow();
            Lease second = client(context, "second").lock("own").tryAcquire().orElseThrow();
            assertThat(ending(context.getSourceApplicationContext())).isLessThan(Duration.ofSeconds(10));
            first.close();
            second.close();
        });
    }

    @Test
    void a_client_that_its_bean_ends_otherwise_ends_so() {
        two.withBean(
                        "now",
                        LockClient.class,
                        () -> LockClient.connect(service + "-first"),
                        definition -> definition.setDestroyMethodName("closeNow"))
                .run(context -> {
                    Lease lease = takenElsewhere(context.getBean("now", LockClient.class));
                    CompletableFuture<Duration> ended =
                            CompletableFuture.supplyAsync(() -> ending(context.getSourceApplicationContext()));
                    assertThat(ended.get(20, TimeUnit.SECONDS)).isLessThan(WITHIN);
                    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
                });
    }
}
