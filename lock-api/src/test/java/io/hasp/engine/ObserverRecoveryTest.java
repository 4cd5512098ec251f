package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory runs out when the news for the observers of a lease is noted. */
class ObserverRecoveryTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final RequestExecutor NOWHERE = request -> {};

    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(new LockName("a")),
            new EngineSettings(30 * SECOND, 30 * SECOND, 255, SECOND, true, false),
            () -> new HolderId("h"),
            row -> {});
    private final Contender contender =
            machine.contender(LeaseTerms.of(LEASE, Optional.empty(), Optional.empty()), NOWHERE, Nanos.FOREVER, SECOND);
    private final List<LeaseLife.State> told = new ArrayList<>();

    private static final class NoMemoryOnce extends ConcurrentLinkedQueue<Runnable> {
        private static final long serialVersionUID = 1;
        private boolean broken;

        @Override
        public boolean add(Runnable news) {
            if (!broken) {
                broken = true;
                throw new OutOfMemoryError("of the test");
            }
            return super.add(news);
        }
    }

    @BeforeEach
    void a_lease_is_observed() throws ReflectiveOperationException {
        on(new Event.Joined(contender));
        Grant grant = Grant.of(contender.claim(), 1, LEASE);
        on(new Event.Answered(contender, contender.request(), SECOND, new Attempt.Granted(grant), null));
        held().observe(told::add);
        Field observers = HeldLease.class.getDeclaredField("observers");
        observers.setAccessible(true);
        Field news = LeaseObservers.class.getDeclaredField("news");
        news.setAccessible(true);
        news.set(observers.get(held()), new NoMemoryOnce());
    }

    private HeldLease held() {
        return Objects.requireNonNull(machine.holder());
    }

    private List<Effect> on(Event event) {
        List<Effect> effects = new ArrayList<>();
        machine.on(event, 2 * SECOND, effects);
        return effects;
    }

    private void breaksOff(Event event) {
        assertThatThrownBy(() -> on(event)).isInstanceOf(OutOfMemoryError.class);
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no memory", null);
        for (Effect effect : on(new Event.BrokenOff(event, failure))) {
            if (effect instanceof Effect.Tell tell) {
                tell.lease().tellObservers(null);
            }
        }
    }

    @Test
    void observers_hear_of_a_loss_whose_event_broke_off() {
        breaksOff(new Event.Signalled(contender, contender.claim().holder(), Signal.LOST));
        assertThat(told).containsExactly(LeaseLife.State.LOST);
    }

    @Test
    void observers_hear_of_a_release_whose_event_broke_off() {
        breaksOff(new Event.GivenBack(held(), new ReleaseCall(NOWHERE)));
        assertThat(told).containsExactly(LeaseLife.State.RELEASED);
    }

    @Test
    void observers_hear_of_a_loss_after_a_doubt_whose_event_broke_off() {
        breaksOff(new Event.Signalled(contender, contender.claim().holder(), Signal.SUSPECT));
        assertThat(told).containsExactly(LeaseLife.State.LOST);
    }
}
