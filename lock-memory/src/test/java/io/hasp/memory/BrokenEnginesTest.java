package io.hasp.memory;

import static io.hasp.conformance.mutants.Findings.broken;
import static io.hasp.conformance.mutants.Findings.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each faulty engine breaks the rule that is meant for it, in that rule's words, while a control rule stays green. */
class BrokenEnginesTest {
    private static final Function<BackendSource, ScriptedBackend> NONE = ScriptedBackend::new;

    @Test
    void the_engine_itself_keeps_the_rules_that_are_made_here() {
        le3_nothing_is_renewed_after_its_release(NONE);
        le11_deadline_counts_from_the_request(NONE);
    }

    @Test
    void watchdog_that_outlives_release_is_caught_by_le3() {
        broken(
                () -> le3_nothing_is_renewed_after_its_release(BrokenEngines::watchdogAfterRelease),
                "a released lease was renewed");
        le11_deadline_counts_from_the_request(BrokenEngines::watchdogAfterRelease);
    }

    @Test
    void deadline_counted_from_the_reply_is_caught_by_le11() {
        broken(
                () -> le11_deadline_counts_from_the_request(BrokenEngines::deadlineFromReply),
                "still believed while another client holds the lock");
        le3_nothing_is_renewed_after_its_release(BrokenEngines::deadlineFromReply);
    }

    @Test
    void wait_without_a_poll_behind_it_is_caught_by_li3() {
        HaspConformance rules = rulesFor(BrokenEngines::noFallbackPoll);
        broken(rules::li3_waiter_wakes_when_the_notification_is_lost, "its only waiter still waits");
        held(rulesFor(BrokenEngines::noFallbackPoll)::me2_second_client_is_refused_while_first_holds);
    }

    @Test
    void owner_per_thread_is_caught_by_me2() {
        HaspConformance rules = rulesFor(BrokenEngines::ownerPerThread);
        broken(rules::me2_second_client_is_refused_while_first_holds, "another client must be refused");
        held(rulesFor(BrokenEngines::ownerPerThread)::ap2_zero_wait_on_a_free_lock_succeeds);
    }

    /** LE3, on a virtual clock: the requests to the server after release() returned. */
    private static void le3_nothing_is_renewed_after_its_release(Function<BackendSource, ScriptedBackend> engine) {
        VirtualTime time = new VirtualTime();
        ScriptedBackend backend = engine.apply(new MemoryServer(time).link());
        LockClient client = client(backend, time);
        for (int i = 0; i < 3; i++) {
            Lease lease = client.lock("a").tryAcquire().orElseThrow();
            time.advance(Duration.ofSeconds(16));
            assertThat(backend.renewed).as("renewals while it was held").isNotEmpty();
            lease.release();
            backend.renewed.clear();
            time.advance(Duration.ofMinutes(5));
            assertThat(backend.renewed).as("a released lease was renewed").isEmpty();
        }
    }

    /** LE11, on a virtual clock: the reply takes two thirds of the lease, and no renewal gets through. */
    private static void le11_deadline_counts_from_the_request(Function<BackendSource, ScriptedBackend> engine) {
        VirtualTime time = new VirtualTime();
        MemoryServer server = new MemoryServer(time);
        ScriptedBackend slow = new ScriptedBackend(server.link());
        slow.onAcquire = (claim, call) -> {
            CompletableFuture<Attempt> reply = new CompletableFuture<>();
            call.get().thenAccept(attempt -> time.schedule(Duration.ofSeconds(20), () -> reply.complete(attempt)));
            return reply;
        };
        slow.onRenew = (held, call) -> CompletableFuture.failedFuture(
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "scripted", null));
        CompletableFuture<Lease> first =
                client(engine.apply(slow), time).lock("a").acquireAsync();
        CompletableFuture<Lease> second = client(server.link(), time).lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(20));
        assertThat(first.join().state()).isNotEqualTo(LeaseState.LOST);
        time.advance(Duration.ofSeconds(11));
        assertThat(second).isDone();
        assertThat(first.join().state())
                .as("still believed while another client holds the lock")
                .isEqualTo(LeaseState.LOST);
    }

    private static LockClient client(BackendSource backend, VirtualTime time) {
        return LockClient.over(backend, ClientOptions.defaults().timing(time).executor(Runnable::run));
    }

    /** The suite's own rules, in real time. */
    private static HaspConformance rulesFor(Function<BackendSource, ScriptedBackend> engine) {
        MemoryFaults faults = new MemoryFaults();
        return new HaspConformance() {
            @Override
            public HaspSubject subject() {
                return new HaspSubject(
                        "mutant", options -> LockClient.over(engine.apply(faults.link()), options), Claimed.FIFO);
            }

            @Override
            public Faults faults() {
                return faults;
            }
        };
    }
}
