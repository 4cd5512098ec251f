package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.hasp.ClientClosedException;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs test classes with the extension, and looks at their results. */
@Timeout(60)
class LockExtensionTest {
    private static EngineExecutionResults run(Class<?> tests, String... configuration) {
        EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests));
        for (int i = 0; i < configuration.length; i += 2) {
            kit.configurationParameter(configuration[i], configuration[i + 1]);
        }
        return kit.execute();
    }

    private static void passes(Class<?> tests, int count, String... configuration) {
        EngineExecutionResults results = run(tests, configuration);
        results.testEvents().failed().assertThatEvents().isEmpty();
        results.testEvents().assertStatistics(stats -> stats.succeeded(count));
    }

    @HaspTest
    static class Parameters {
        private TestLocks before;

        @BeforeEach
        void prepare(TestLocks locks) {
            before = locks;
            locks.makeBusy("a");
        }

        @Test
        void gets_the_kit_and_its_client(TestLocks locks, LockClient client) {
            assertThat(locks).isSameAs(before);
            assertThat(client).isSameAs(locks.client());
            assertThat(client.lock("a").tryAcquire()).isEmpty();
        }

        @Test
        void is_in_the_machines_time(TestLocks locks) {
            locks.delay(Duration.ofMillis(1));
            assertThat(locks.client().lock("b").tryAcquire().orElseThrow().release())
                    .isNotNull();
        }

        @AfterEach
        void look(TestLocks locks) {
            assertThat(locks).isSameAs(before);
        }
    }

    @Test
    void tests_get_the_kit_of_their_own_as_parameters() {
        passes(Parameters.class, 2);
    }

    @HaspTest
    static class Leaks {
        @Test
        void leaks(LockClient client) {
            Lease lease = client.lock("a").tryAcquire().orElseThrow();
            lease.ensureHeld();
        }

        @HaspTest(nothingHeldAtEnd = false)
        @Test
        void may_leak(LockClient client) {
            assertThat(client.lock("a").tryAcquire()).isPresent();
        }

        @Test
        void releases(LockClient client) {
            client.lock("a").tryAcquire().orElseThrow().close();
        }

        @Test
        void uses_no_locks() {}
    }

    @Test
    void a_leak_fails_its_test_alone_unless_it_is_allowed() {
        EngineExecutionResults results = run(Leaks.class);
        results.testEvents().assertStatistics(stats -> stats.succeeded(3).failed(1));
        results.testEvents()
                .failed()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("leaks"),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.contains("a lock is still held")
                                                && text.contains("LockExtensionTest$Leaks.leaks")))));
    }

    @HaspTest
    static class FailsWhileItHolds {
        @Test
        void fails(LockClient client) {
            assertThat(client.lock("a").tryAcquire()).isPresent();
            throw new IllegalStateException("the reason");
        }
    }

    @Test
    void a_test_that_fails_has_one_reason() {
        run(FailsWhileItHolds.class)
                .testEvents()
                .failed()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                message("the reason"),
                                new Condition<>(
                                        failure -> failure.getSuppressed().length == 0, "nothing suppressed"))));
    }

    @HaspTest(virtualTime = true)
    static class Virtual {
        @Test
        void as_the_class_says(TestLocks locks) {
            locks.advance(Duration.ofDays(1));
        }

        @HaspTest
        @Test
        void as_the_method_says(TestLocks locks) {
            assertThatIllegalStateException().isThrownBy(() -> locks.advance(Duration.ofDays(1)));
        }

        @Nested
        class Inside {
            @Test
            void as_the_outer_class_says(TestLocks locks) {
                locks.advance(Duration.ofDays(1));
            }
        }
    }

    @Test
    void time_is_virtual_on_demand() {
        passes(Virtual.class, 3);
    }

    @ExtendWith(LockExtension.class)
    static class Registered {
        @Test
        void works(TestLocks locks) {
            locks.makeBusy("a");
        }
    }

    @Test
    void the_extension_works_without_the_annotation() {
        passes(Registered.class, 1);
    }

    @HaspTest
    static class Early {
        @BeforeAll
        static void prepare(TestLocks locks) {}

        @Test
        void never_runs() {}
    }

    @Test
    void a_service_for_several_tests_is_refused() {
        run(Early.class)
                .containerEvents()
                .failed()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                instanceOf(ParameterResolutionException.class),
                                message(text -> text.contains("each test has a lock service of its own")))));
    }

    @HaspTest
    @Execution(ExecutionMode.CONCURRENT)
    static class Parallel {
        static final CyclicBarrier BOTH = new CyclicBarrier(2);
        static final Set<TestLocks> KITS = ConcurrentHashMap.newKeySet();

        @Test
        void first(TestLocks locks) throws Exception {
            bothHold(locks);
        }

        @Test
        void second(TestLocks locks) throws Exception {
            bothHold(locks);
        }

        private static void bothHold(TestLocks locks) throws Exception {
            KITS.add(locks);
            try (Lease lease = locks.client().lock("a").tryAcquire().orElseThrow()) {
                BOTH.await(10, TimeUnit.SECONDS);
                lease.ensureHeld();
                locks.assertLocked("a");
            }
        }
    }

    @Test
    void tests_at_the_same_time_share_nothing() {
        Parallel.KITS.clear();
        passes(
                Parallel.class,
                2,
                "junit.jupiter.execution.parallel.enabled",
                "true",
                "junit.jupiter.execution.parallel.config.strategy",
                "fixed",
                "junit.jupiter.execution.parallel.config.fixed.parallelism",
                "2");
        assertThat(Parallel.KITS).hasSize(2);
    }

    @HaspTest
    static class Remembers {
        @SuppressWarnings("NullAway.Init") // the test sets it
        static LockClient last;

        @Test
        void remembers(LockClient client) {
            last = client;
        }
    }

    @Test
    void the_client_is_closed_at_the_end() {
        passes(Remembers.class, 1);
        assertThatThrownBy(() -> Remembers.last.lock("a").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }
}
