package io.hasp.engine.driver;

import io.hasp.engine.HandTiming;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver retires once, and not before its last effect was started and its last user has left. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class DriverRetiresRaceTest {
    @Test
    void two_users_leave() throws Exception {
        Races.run(1_000, () -> new TwoUsers());
    }

    @Test
    void user_leaves_while_the_lease_is_released() throws Exception {
        Races.run(300, () -> new UserAndHolder());
    }

    private abstract static class OfOneDriver extends Race {
        private static final Duration WAIT = Duration.ofSeconds(10);

        final LockDriver driver;
        private final LockMachine machine;
        private final AtomicInteger using = new AtomicInteger();
        private final AtomicInteger retired = new AtomicInteger();

        OfOneDriver() {
            EngineSettings settings =
                    new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT.toNanos(), 0, WAIT.toNanos(), false, false);
            EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
            SharedServices services = new SharedServices(new OneLockBackend(true), null, threads, notice -> {});
            machine = new LockMachine(
                    NameAndCapacity.exclusive(new LockName("n")), settings, () -> new HolderId("c"), row -> {});
            driver = new LockDriver(
                    machine,
                    services,
                    new RenewalTimer(services, settings.renewedLease(), () -> {}),
                    which -> retired());
        }

        void use() {
            if (driver.enter()) {
                using.incrementAndGet();
                using.decrementAndGet();
                driver.leave();
            }
        }

        void retired() {
            require(machine.idle(), "it retires with something to do");
            requireEqual(using.get(), 0, "users when it retires");
            retired.incrementAndGet();
        }

        Contender contender() {
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            return machine.contender(terms, RequestExecutor.Request::run, WAIT.toNanos(), 0);
        }

        HeldLease hold() {
            driver.join(contender());
            return Objects.requireNonNull(machine.holder());
        }

        @Override
        public void check() {
            driver.apply(new Event.FloorRaised(1));
            requireEqual(retired.get(), 1, "times retired");
            require(!driver.enter(), "it lets use although it is retired");
            require(!driver.join(contender()), "it lets join although it is retired");
        }
    }

    private static final class TwoUsers extends OfOneDriver {
        TwoUsers() {
            add(this::use);
            add(this::use);
        }
    }

    private static final class UserAndHolder extends OfOneDriver {
        private final ReleaseCall release = new ReleaseCall(RequestExecutor.Request::run);

        UserAndHolder() {
            HeldLease held = hold();
            add(this::use);
            add(() -> driver.apply(new Event.GivenBack(held, release)));
        }

        @Override
        void retired() {
            super.retired();
            require(release.result.isDone(), "it retires before its last effect was started");
        }
    }
}
