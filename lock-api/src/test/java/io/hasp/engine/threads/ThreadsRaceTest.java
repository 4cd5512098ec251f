package io.hasp.engine.threads;

import io.hasp.engine.HandTiming;
import io.hasp.engine.driver.UnansweredCalls;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseObservers;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks, answers and news that come while the client ends, or at the same time as others. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class ThreadsRaceTest {
    @Test
    void task_that_is_refused_while_the_client_ends_runs_once() throws Exception {
        Races.run(300, () -> new RefusedAtTheEnd());
    }

    @Test
    void task_that_is_tried_again_while_the_client_ends_runs_once() throws Exception {
        Races.run(300, () -> new TriedAgainAtTheEnd());
    }

    @Test
    void call_that_begins_while_the_client_ends_is_answered() throws Exception {
        Races.run(300, () -> new CalledAtTheEnd());
    }

    /** Lincheck's memory is sequentially consistent. */
    @Test
    void end_of_calls_is_seen_in_time() throws Exception {
        AtomicInteger round = new AtomicInteger();
        Races.onRealThreads(() -> new CalledAtTheEnd(new LateStores(), round.getAndIncrement() % 32));
    }

    @Test
    void answer_that_comes_while_the_client_ends_is_taken_once() throws Exception {
        Races.run(300, () -> new AnsweredAtTheEnd());
    }

    @Test
    void observer_is_told_everything_in_order() throws Exception {
        Races.run(300, () -> new Notified());
    }

    /** Lincheck can't look into pools. */
    @Test
    void task_that_comes_while_the_threads_are_stopped_runs() throws Exception {
        Races.onRealThreads(() -> new Stopped());
    }

    private static final class Stopped extends Race {
        private final EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.empty());
        private final CompletableFuture<Boolean> ran = new CompletableFuture<>();

        Stopped() {
            add(() -> threads.requests.execute(() -> ran.complete(true)));
            add(threads::stop);
        }

        /** No timer fires any more. */
        @Override
        public void check() throws Exception {
            ran.get(10, TimeUnit.SECONDS);
        }
    }

    private abstract static class OfOneExecutor extends Race {
        final HandTiming timing = new HandTiming();
        final LosslessExecutor executor = new LosslessExecutor(this::refuse, timing);
        final AtomicInteger ran = new AtomicInteger();

        private void refuse(Runnable task) {
            throw new RejectedExecutionException();
        }

        /** No timer fires any more. */
        @Override
        public void check() {
            requireEqual(ran.get(), 1, "times it ran");
        }
    }

    private static final class RefusedAtTheEnd extends OfOneExecutor {
        RefusedAtTheEnd() {
            add(() -> executor.execute(ran::incrementAndGet));
            add(executor::end);
        }
    }

    private static final class TriedAgainAtTheEnd extends OfOneExecutor {
        TriedAgainAtTheEnd() {
            executor.execute(ran::incrementAndGet);
            timing.set(TimeUnit.SECONDS.toNanos(1));
            add(timing::fire);
            add(() -> executor.runRest(Runnable::run));
            add(executor::end);
        }
    }

    private static final class CalledAtTheEnd extends Race {
        private final UnansweredCalls calls = new UnansweredCalls();
        private final CompletableFuture<String> unanswered = new CompletableFuture<>();

        CalledAtTheEnd() {
            add(() -> calls.track(unanswered));
            add(() -> calls.end(null));
        }

        CalledAtTheEnd(LateStores late, int spins) {
            add(() -> {
                late.await(spins);
                calls.track(unanswered);
            });
            add(() -> {
                late.store();
                calls.end(null);
            });
        }

        @Override
        public void check() {
            require(unanswered.isCompletedExceptionally(), "whoever waits for it waits for ever");
        }
    }

    private static final class AnsweredAtTheEnd extends Race {
        private final UnansweredCalls calls = new UnansweredCalls();
        private final CompletableFuture<String> answered = new CompletableFuture<>();
        private final AtomicInteger ended = new AtomicInteger();

        AnsweredAtTheEnd() {
            answered.whenComplete((value, failure) -> ended.incrementAndGet());
            calls.track(answered);
            add(() -> calls.end(null));
            add(() -> answered.complete("answered"));
        }

        @Override
        public void check() {
            requireEqual(ended.get(), 1, "times it came to an end");
        }
    }

    /** The machine notes news in order, and any free thread delivers them. */
    private static final class Notified extends Race {
        private final LeaseObservers observers = new LeaseObservers();
        private final List<LeaseLife.State> noted = new ArrayList<>();
        private final List<LeaseLife.State> notified = new ArrayList<>();

        Notified() {
            observers.add(notified::add);
            add(() -> noteAndTell(LeaseLife.State.SUSPECT));
            add(() -> noteAndTell(LeaseLife.State.HELD));
        }

        private void noteAndTell(LeaseLife.State state) {
            synchronized (this) {
                noted.add(state);
                observers.note(state);
            }
            observers.deliver();
        }

        @Override
        public void check() {
            requireEqual(notified, noted, "told");
        }
    }
}
