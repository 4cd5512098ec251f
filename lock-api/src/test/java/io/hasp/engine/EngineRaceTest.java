package io.hasp.engine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who come to one name while its driver retires, or while the client closes. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class EngineRaceTest {
    private static final LockName NAME = new LockName("n");

    @Test
    void callers_come_and_go() throws Exception {
        Races.run(200, () -> new ComeAndGo());
    }

    @Test
    void callers_come_while_the_client_closes() throws Exception {
        Races.run(200, () -> new Closing());
    }

    @Test
    void no_caller_waits_that_came_while_the_client_closes() throws Exception {
        Races.run(200, () -> new WaitsWhileClosing());
    }

    @Test
    void nothing_is_held_when_callers_came_while_the_client_closed() throws Exception {
        Races.run(200, () -> new Closed());
    }

    @Test
    void nothing_is_tried_again_when_a_caller_came_while_the_client_ended() throws Exception {
        Races.run(500, () -> new Ended());
    }

    private abstract static class OfOneEngine extends Race {
        final OneLockBackend server = new OneLockBackend(true);
        final LockEngine engine;
        private final List<Acquisition> acquisitions = new ArrayList<>();
        private final List<ReleaseCall> givenBack = new ArrayList<>();

        OfOneEngine() {
            long wait = TimeUnit.SECONDS.toNanos(10);
            EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), wait, 0, wait, false, false);
            EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
            engine = new LockEngine(server, threads, "c", settings, notice -> {}, () -> {});
        }

        void acquireAndGiveBack() {
            giveBack(acquire());
        }

        Acquisition acquire() {
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            Acquisition acquisition = engine.acquire(NAME, terms, TimeUnit.SECONDS.toNanos(10), engine.pool());
            acquisition.awaitElsewhere();
            synchronized (this) {
                acquisitions.add(acquisition);
            }
            return acquisition;
        }

        private boolean giveBack(Acquisition acquisition) {
            if (!(acquisition.result().getNow(Outcome.CLOSED) instanceof Outcome.Acquired acquired)
                    || acquired.lease().handle != null) {
                return false;
            }
            acquired.lease().handle = this;
            ReleaseCall call = new ReleaseCall(engine.pool());
            synchronized (this) {
                givenBack.add(call);
            }
            acquisition.lease(acquired).giveBack(call);
            return true;
        }

        @Override
        public void check() {
            for (boolean going = true; going; ) {
                going = false;
                for (Acquisition acquisition : List.copyOf(acquisitions)) {
                    going |= giveBack(acquisition);
                }
            }
            for (Acquisition acquisition : acquisitions) {
                require(acquisition.result().isDone(), "a caller has no outcome");
                require(allowed(acquisition.result().join()), "a caller's outcome is " + acquisition.result());
            }
            for (ReleaseCall call : givenBack) {
                require(call.result.isDone(), "a release has no answer");
            }
            require(server.isFree(), "the lock is left on the server");
            require(engine.settled(), "a driver is left");
        }

        abstract boolean allowed(Outcome outcome);
    }

    private static final class ComeAndGo extends OfOneEngine {
        ComeAndGo() {
            add(this::acquireAndGiveBack);
            add(this::acquireAndGiveBack);
        }

        @Override
        boolean allowed(Outcome outcome) {
            return outcome instanceof Outcome.Acquired;
        }
    }

    private static final class Closing extends OfOneEngine {
        Closing() {
            add(this::acquireAndGiveBack);
            add(engine::beginClosing);
        }

        @Override
        boolean allowed(Outcome outcome) {
            return outcome instanceof Outcome.Acquired || outcome instanceof Outcome.Closed;
        }
    }

    /** Another client holds the lock. */
    private static final class WaitsWhileClosing extends OfOneEngine {
        private final List<Acquisition> waiting = new ArrayList<>();

        WaitsWhileClosing() {
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            server.acquire(Contender.claim(NAME, new HolderId("other"), terms, 0), signal -> {});
            add(() -> waiting.add(acquire()));
            add(engine::beginClosing);
        }

        @Override
        public void check() {
            waiting.forEach(caller -> require(caller.result().isDone(), "a caller waits for a client that closes"));
        }

        @Override
        boolean allowed(Outcome outcome) {
            return outcome instanceof Outcome.Closed;
        }
    }

    /** Only the client itself gives anything back. */
    private static final class Closed extends OfOneEngine {
        Closed() {
            add(this::acquire);
            add(engine::giveEverythingBack);
        }

        @Override
        public void check() {
            require(server.isFree(), "a closed client holds the lock");
            super.check();
        }

        @Override
        boolean allowed(Outcome outcome) {
            return outcome instanceof Outcome.Acquired || outcome instanceof Outcome.Closed;
        }
    }

    /** The server does not answer, so that what is owed would be tried again. */
    private static final class Ended extends Race {
        private final HandTiming timing = new HandTiming();

        Ended() {
            long wait = TimeUnit.SECONDS.toNanos(10);
            EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), wait, 0, wait, false, true);
            EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
            LockEngine engine = new LockEngine(new SilentBackend(), threads, "c", settings, notice -> {}, () -> {});
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            add(() -> engine.acquire(NAME, terms, wait, engine.pool()));
            add(() -> {
                engine.beginClosing();
                engine.end();
            });
        }

        @Override
        public void check() {
            requireEqual(timing.alarms(), 0, "timers of a client that has ended");
        }
    }
}
