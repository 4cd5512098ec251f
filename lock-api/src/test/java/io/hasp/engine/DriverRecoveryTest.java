package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Memory runs out in the midst of an event, an answer or a task: the driver sees to it that its machine recovers. */
class DriverRecoveryTest {
    private static final Duration LEASE = OneLockBackend.LEASE;
    private static final LockName NAME = new LockName("n");
    private static final EngineSettings SETTINGS =
            new EngineSettings(LEASE.toNanos(), LEASE.toNanos(), 0, 0, true, false);
    private static final LeaseTerms TERMS = LeaseTerms.of(LEASE, Optional.empty(), Optional.empty());

    /** The driver lets its machine recover, whatever it was that broke off. */
    @Test
    void a_name_is_free_again_after_any_event_that_broke_off() {
        for (int rows = 0; rows < 12; rows++) {
            OneLockBackend server = new OneLockBackend(true);
            EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
            LockEngine engine = new LockEngine(server, threads, "c", SETTINGS, notice -> {}, () -> {});
            AtomicInteger left = new AtomicInteger(rows);
            engine.trace(row -> {
                if (left.getAndDecrement() == 0) {
                    throw new OutOfMemoryError("of the test");
                }
            });
            for (int i = 0; i < 3; i++) {
                try {
                    Acquisition acquisition = engine.acquire(NAME, TERMS, 0, engine.pool());
                    acquisition.awaitElsewhere();
                    ReleaseCall call = new ReleaseCall(engine.pool());
                    Outcome outcome = acquisition.result().getNow(Outcome.CLOSED);
                    if (outcome instanceof Outcome.Acquired acquired) {
                        acquisition.lease(acquired).giveBack(call);
                        assertThat(call.result).as("row " + rows).isDone();
                    } else {
                        assertThat(outcome).as("row " + rows).isInstanceOf(Outcome.Failed.class);
                    }
                } catch (OutOfMemoryError broken) {
                    assertThat(left.get()).as("row " + rows).isNegative();
                }
                assertThat(server.isFree()).as("row " + rows).isTrue();
                assertThat(engine.settled()).as("row " + rows).isTrue();
            }
        }
    }

    /** Neither rows, nor tasks, nor timers: as long as memory is short, nothing of the recovery can be handed over. */
    @Test
    void a_name_is_free_again_when_memory_was_short_for_a_while() {
        for (int rows = 0; rows < 8; rows++) {
            for (int failures = 1; failures < 6; failures++) {
                String when = failures + " failures after row " + rows;
                ShortMemory memory = new ShortMemory(rows, failures);
                OneLockBackend server = new OneLockBackend(true);
                EngineThreads threads = new EngineThreads("c", Optional.of(memory), Optional.of(memory));
                LockEngine engine = new LockEngine(server, threads, "c", SETTINGS, notice -> {}, () -> {});
                engine.trace(row -> memory.row());
                for (int i = 0; i < 3; i++) {
                    useOnce(engine);
                }
                assertThat(memory.failures).as(when).isZero();
                assertThat(server.isFree()).as(when).isTrue();
                assertThat(engine.settled()).as(when).isTrue();
            }
        }
    }

    private static void useOnce(LockEngine engine) {
        try {
            Acquisition acquisition = engine.acquire(NAME, TERMS, 0, engine.pool());
            if (acquisition.result().getNow(Outcome.CLOSED) instanceof Outcome.Acquired acquired) {
                acquisition.lease(acquired).giveBack(new ReleaseCall(engine.pool()));
            }
        } catch (OutOfMemoryError expected) {
            // The caller hears of it.
        }
    }

    /** A client without memory from a certain row on, for some attempts. */
    private static final class ShortMemory implements Timing, Executor {
        private int rows;
        private int failures;

        ShortMemory(int rows, int failures) {
            this.rows = rows;
            this.failures = failures;
        }

        void row() {
            if (rows-- <= 0) {
                need();
            }
        }

        private void need() {
            if (rows < 0 && failures > 0) {
                failures--;
                throw new OutOfMemoryError("of the test");
            }
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            need();
            return () -> {};
        }

        @Override
        public void execute(Runnable task) {
            need();
            task.run();
        }
    }

    /** An answer whose event can't be made is delivered again. */
    @Test
    void an_answer_is_not_lost_for_want_of_memory() {
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        OneLockBackend server = new OneLockBackend(true);
        LockBackend silent = new LockBackend() {
            @Override
            public Capabilities capabilities() {
                return server.capabilities();
            }

            @Override
            public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
                return answer;
            }

            @Override
            public CompletionStage<List<Renewal>> renew(List<Grant> held) {
                return server.renew(held);
            }

            @Override
            public CompletionStage<Released> release(Claim claim) {
                return server.release(claim);
            }

            @Override
            public void close() {}
        };
        EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
        LockEngine engine = new LockEngine(silent, threads, "c", SETTINGS, notice -> {}, () -> {});
        Acquisition acquisition = engine.acquire(NAME, TERMS, 0, engine.pool());
        AtomicInteger told = new AtomicInteger();
        answer.completeExceptionally(new IllegalStateException() {
            private static final long serialVersionUID = 1;

            /** First by the stage itself, then by those who want to know what failed. */
            @Override
            public String getMessage() {
                int times = told.incrementAndGet();
                if (times > 1 && times < 6) {
                    throw new OutOfMemoryError("of the test");
                }
                return "broken";
            }
        });
        assertThat(acquisition.result().getNow(Outcome.CLOSED)).isInstanceOf(Outcome.Failed.class);
        assertThat(engine.settled()).isTrue();
    }

    /** Its machine takes nothing before it has recovered; time goes on all the same. */
    @Test
    void a_lease_ends_in_time_while_its_machine_waits_for_recovery() {
        HandTiming timing = new HandTiming();
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(tasks::add));
        LockEngine engine = new LockEngine(new OneLockBackend(true), threads, "c", SETTINGS, notice -> {}, () -> {});
        AtomicBoolean memory = new AtomicBoolean(true);
        engine.trace(row -> {
            if (!memory.getAndSet(true)) {
                throw new OutOfMemoryError("of the test");
            }
        });
        Acquisition acquisition = engine.acquire(NAME, TERMS, 0, engine.pool());
        tasks.remove().run();
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        memory.set(false);
        try {
            acquisition.sleep();
        } catch (OutOfMemoryError expected) {
            // Now its machine has to recover.
        }
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.HELD);
        timing.set(LEASE.toNanos());
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.LOST);
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.LOST);
        assertThat(engine.settled()).isTrue();
    }

    /** A late event of a name that is at rest: nobody would end what a recovery makes of it. */
    @Test
    void a_late_event_that_breaks_off_gives_nothing_back_again() {
        OneLockBackend server = new OneLockBackend(true);
        EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
        LockEngine engine = new LockEngine(server, threads, "c", SETTINGS, notice -> {}, () -> {});
        AtomicBoolean memory = new AtomicBoolean(true);
        engine.trace(row -> {
            if (!memory.getAndSet(true)) {
                throw new OutOfMemoryError("of the test");
            }
        });
        Acquisition acquisition = engine.acquire(NAME, TERMS, 0, engine.pool());
        Outcome.Acquired acquired = (Outcome.Acquired) acquisition.result().join();
        ReleaseCall release = new ReleaseCall(engine.pool());
        acquisition.lease(acquired).giveBack(release);
        assertThat(engine.settled()).isTrue();
        for (int i = 0; i < 2; i++) {
            memory.set(false);
            ReleaseCall again = new ReleaseCall(engine.pool());
            try {
                if (i == 0) {
                    acquisition.sleep();
                } else {
                    acquisition.lease(acquired).giveBack(again);
                }
            } catch (OutOfMemoryError expected) {
                assertThat(memory).isTrue();
            }
            assertThat(again.result.isDone()).isEqualTo(i == 1);
            assertThat(server.releases()).isOne();
            assertThat(engine.settled()).isTrue();
        }
    }
}
