package io.hasp.engine.driver;

import io.hasp.engine.HandTiming;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads apply events to one driver, and start effects while others apply. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class DriverRaceTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @Test
    void two_hold_in_turn_on_two_threads() throws Exception {
        Races.run(200, () -> new InTurn(0));
    }

    @Test
    void two_hand_the_lease_over_on_two_threads() throws Exception {
        Races.run(200, () -> new InTurn(1));
    }

    @Test
    void one_gives_up_while_the_server_answers() throws Exception {
        Races.run(200, () -> new AnsweredAndGivenUp());
    }

    @Test
    void user_leaves_while_the_last_lease_ends() throws Exception {
        Races.run(200, () -> new UserLeaves());
    }

    /** One driver, and everything that it does. */
    private abstract static class OfOneDriver extends Race {
        final HandTiming timing = new HandTiming();
        final OneLockBackend server;
        final List<Notice> notices = new ArrayList<>();
        final SharedServices services;
        final LockDriver driver;
        private final EngineSettings settings;
        private final List<Contender> joined = new ArrayList<>();
        private final List<ReleaseCall> givenBack = new ArrayList<>();
        private int holders;
        private int retired;

        OfOneDriver(boolean atOnce, int handOffs) {
            server = new OneLockBackend(atOnce);
            settings = new EngineSettings(
                    OneLockBackend.LEASE.toNanos(), WAIT.toNanos(), handOffs, WAIT.toNanos(), true, false);
            services = new SharedServices(
                    server,
                    null,
                    new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run)),
                    this::notice);
            RenewalTimer renewals = new RenewalTimer(services, settings.renewedLease(), () -> {});
            LockMachine machine = new LockMachine(
                    NameAndCapacity.exclusive(new LockName("n")), settings, this::holder, transition -> {});
            driver = new LockDriver(machine, services, renewals, this::retired);
        }

        private synchronized HolderId holder() {
            return new HolderId("c-" + ++holders);
        }

        private synchronized void notice(Notice notice) {
            notices.add(notice);
        }

        private synchronized void retired(LockDriver which) {
            require(which.machine().idle(), "it retires with something to do");
            retired++;
        }

        private synchronized int countRetired() {
            return retired;
        }

        /** Null if the driver has retired. */
        @Nullable
        Contender join() {
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            Contender contender =
                    driver.machine().contender(terms, RequestExecutor.Request::run, WAIT.toNanos(), services.now());
            if (!driver.join(contender)) {
                return null;
            }
            synchronized (this) {
                joined.add(contender);
            }
            return contender;
        }

        /** If it has the lock and was not given back; each by one thread only. */
        boolean giveBack(@Nullable Contender contender) {
            if (contender == null
                    || !(contender.result.getNow(Outcome.CLOSED) instanceof Outcome.Acquired acquired)
                    || acquired.lease().handle != null) {
                return false;
            }
            acquired.lease().handle = this;
            ReleaseCall call = new ReleaseCall(RequestExecutor.Request::run);
            synchronized (this) {
                givenBack.add(call);
            }
            driver.apply(new Event.GivenBack(acquired.lease(), call));
            return true;
        }

        @Override
        public void check() {
            for (boolean going = true; going; ) {
                going = server.answerOne();
                for (Contender contender : List.copyOf(joined)) {
                    going |= giveBack(contender);
                }
            }
            for (Contender contender : joined) {
                require(contender.result.isDone(), "a contender has no outcome");
            }
            for (ReleaseCall call : givenBack) {
                require(call.result.isDone(), "a release has no answer");
                requireEqual(call.result.join(), ReleaseCall.Found.RELEASED, "a release");
            }
            require(server.isFree(), "the lock is left on the server");
            require(driver.machine().idle(), "the machine is not idle");
            requireEqual(countRetired(), 1, "times retired");
            require(join() == null, "it lets join although it is retired");
            require(!driver.enter(), "it lets use although it is retired");
            checkNotices();
        }

        /** One lease after the other: the effects came once each, and in the order of their events. */
        private void checkNotices() {
            long last = 0;
            boolean held = false;
            int leases = 0;
            for (Notice notice : notices) {
                if (notice instanceof Notice.Acquired acquired) {
                    require(!held && acquired.token() > last, "out of order: " + notices);
                    held = true;
                    last = acquired.token();
                    leases++;
                } else if (notice instanceof Notice.Released released) {
                    require(held && released.token() == last, "out of order: " + notices);
                    held = false;
                }
            }
            require(!held, "a lease has no end: " + notices);
            requireEqual(leases, givenBack.size(), "leases");
        }
    }

    private static final class InTurn extends OfOneDriver {
        InTurn(int handOffs) {
            super(true, handOffs);
            add(() -> giveBack(join()));
            add(() -> giveBack(join()));
        }

        @Override
        public void check() {
            super.check();
            requireEqual((long) server.releases(), server.grants(), "releases sent");
        }
    }

    private static final class AnsweredAndGivenUp extends OfOneDriver {
        AnsweredAndGivenUp() {
            super(false, 0);
            Contender contender = join();
            add(() -> driver.apply(new Event.GaveUp(Objects.requireNonNull(contender), Outcome.ABANDONED)));
            add(server::answerOne);
            add(() -> giveBack(join()));
        }
    }

    private static final class UserLeaves extends OfOneDriver {
        UserLeaves() {
            super(true, 0);
            Contender contender = join();
            add(() -> {
                if (driver.enter()) {
                    driver.apply(new Event.FloorRaised(5));
                    driver.leave();
                }
            });
            add(() -> giveBack(contender));
        }
    }
}
