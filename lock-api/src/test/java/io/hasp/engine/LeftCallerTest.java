package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.driver.BackendRequests;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Effect;
import io.hasp.engine.machine.Event;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requests of a caller that has gone. */
class LeftCallerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());

    private final OneLockBackend backend = new OneLockBackend(true);
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final SharedServices services = new SharedServices(
            backend,
            null,
            new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(tasks::add)),
            notice -> {});
    private final BackendRequests requests = new BackendRequests(services, events::add);
    private final WaitingCaller caller = new WaitingCaller();
    private final HeldLease held = new HeldLease(
            Grant.of(contender("h1").claim(), 1, OneLockBackend.LEASE),
            TERMS,
            new EngineSettings(30 * SECOND, 30 * SECOND, 255, SECOND, false, false),
            0,
            30 * SECOND,
            0);

    private Contender contender(String holder) {
        return new Contender(
                Contender.claim(new LockName("a"), new HolderId(holder), TERMS, SECOND), TERMS, caller, 0, SECOND);
    }

    private RequestExecutor.Request transfer() {
        Contender next = contender("h2");
        return requests.transfer(new Effect.Transfer(held, next, next.claim(), 1));
    }

    /** It may be the timer's, or the backend's own. */
    @Test
    void a_transfer_whose_caller_has_left_is_not_made_by_the_thread_that_hands_it_over() {
        caller.leave();
        caller.execute(transfer());
        transferIsMadeElsewhere();
    }

    @Test
    void a_caller_that_leaves_does_not_make_a_transfer() {
        caller.execute(transfer());
        caller.leave();
        transferIsMadeElsewhere();
    }

    private void transferIsMadeElsewhere() {
        assertThat(backend.releases()).isZero();
        tasks.remove(0).run();
        assertThat(backend.releases()).isEqualTo(1);
        assertThat(events)
                .hasOnlyElementsOfTypes(Event.ReleaseAnswered.class, Event.Answered.class)
                .hasSize(2);
    }

    @Test
    void a_release_whose_caller_has_left_is_not_made_by_the_thread_that_hands_it_over() {
        caller.leave();
        caller.execute(requests.release(held));
        assertThat(backend.releases()).isZero();
        tasks.remove(0).run();
        assertThat(backend.releases()).isEqualTo(1);
    }
}
