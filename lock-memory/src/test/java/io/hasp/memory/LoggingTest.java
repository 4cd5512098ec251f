package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LogLines;
import io.hasp.conformance.Tier;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log for operators: one line for each event or for many, and no stack trace. On a virtual clock. */
@InTier(Tier.STANDARD)
class LoggingTest {
    /** The beginning of the names of these locks. */
    private static final String OWN = "logged-";

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, options);
    private final DistributedLock lock = client.lock(OWN + "a");
    private final Logger logger = Logger.getLogger("io.hasp");
    private final LogLines log = LogLines.about(OWN, "the lock service ");

    @AfterEach
    void stop() {
        link.heal();
        time.advance(Duration.ofSeconds(10));
        client.closeNow();
        log.close();
    }

    private static BackendFailure failure(String why) {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED, why, null);
    }

    private static String named(Lease lease) {
        long token = lease.fencingToken();
        return "the lease of lock '" + OWN + "a' with token " + token + " (" + token / 256 + " on the server)";
    }

    private List<String> logged() {
        assertThat(log.all()).noneMatch(line -> line.contains(" thrown: "));
        return log.all();
    }

    @Test
    void an_outage_is_one_line_however_many_calls_fail_and_its_end_is_another() {
        link.partition();
        for (int run = 0; run < 5; run++) {
            CompletableFuture<Optional<Lease>> attempt = lock.tryAcquireAsync(Duration.ZERO);
            time.advance(Duration.ofSeconds(1));
            assertThat(attempt).isCompletedExceptionally();
        }
        assertThat(logged()).singleElement().asString().startsWith("WARNING the lock service fails: ");
        link.heal();
        time.advance(Duration.ofSeconds(10));
        lock.tryAcquire().orElseThrow().release();
        lock.tryAcquire().orElseThrow().release();
        assertThat(logged()).hasSize(2).last().asString().startsWith("INFO the lock service answers again, ");
    }

    @Test
    void what_the_server_refuses_for_one_kind_of_call_does_not_begin_anew_with_each_answer_to_another() {
        ScriptedBackend scripted = new ScriptedBackend(server.link());
        try (LockClient full = LockClient.over(scripted, options)) {
            Lease kept = full.lock(OWN + "c").tryAcquire().orElseThrow();
            scripted.onAcquire = (claim, call) -> CompletableFuture.failedFuture(failure("out of memory"));
            for (int second = 0; second < 60; second += 5) {
                assertThatThrownBy(full.lock(OWN + "d")::tryAcquire).isInstanceOf(BackendException.class);
                time.advance(Duration.ofSeconds(5));
            }
            assertThat(kept.state()).isEqualTo(LeaseState.HELD);
            assertThat(logged())
                    .containsExactly(
                            "WARNING the lock service fails: out of memory (logged once, until it answers again)");
        }
    }

    @Test
    void a_lease_that_is_suspect_and_then_confirmed_is_two_lines() {
        String named;
        try (Lease lease = lock.tryAcquire().orElseThrow()) {
            named = named(lease);
            link.partition();
            time.advance(Duration.ofSeconds(17));
            assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
            link.heal();
            time.advance(Duration.ofSeconds(5));
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(logged())
                .filteredOn(line -> line.contains("'" + OWN + "a'"))
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("WARNING " + named + " is SUSPECT: "),
                        second -> assertThat(second).isEqualTo("INFO " + named + " is confirmed: HELD again"));
    }

    @Test
    void many_leases_that_are_suspect_confirmed_and_lost_are_two_lines_each() {
        int count = 3_000;
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(client.lock(OWN + "k" + i).tryAcquire().orElseThrow());
        }
        link.partition();
        time.advance(Duration.ofSeconds(17));
        link.heal();
        time.advance(Duration.ofSeconds(11));
        assertThat(leases).allSatisfy(lease -> assertThat(lease.state()).isEqualTo(LeaseState.HELD));
        link.partition();
        time.advance(Duration.ofSeconds(60));
        assertThat(leases).allSatisfy(lease -> assertThat(lease.state()).isEqualTo(LeaseState.LOST));

        assertThat(logged())
                .filteredOn(line -> line.contains("lease"))
                .satisfiesExactly(
                        one -> assertThat(one).contains(" is SUSPECT: "),
                        many -> assertThat(many).startsWith("WARNING 2999 more leases are SUSPECT: lock 'logged-k"),
                        one -> assertThat(one).endsWith(" is confirmed: HELD again"),
                        many -> assertThat(many).startsWith("INFO 2999 more leases are confirmed: HELD again: "),
                        one -> assertThat(one).contains(" is SUSPECT: "),
                        many -> assertThat(many).startsWith("WARNING 2999 more leases are SUSPECT: lock 'logged-k"),
                        one -> assertThat(one).startsWith("WARNING lost the lease of lock 'logged-k"),
                        many -> assertThat(many)
                                .startsWith("WARNING lost 2999 more leases: lock 'logged-k")
                                .containsPattern(
                                        "( with token \\d+ \\(\\d+ on the server\\).*){5} and 2994 more; each: "));
    }

    @Test
    void a_second_loss_in_the_same_second_is_a_line_of_its_own_after_that_second() {
        Lease first = lock.tryAcquire().orElseThrow();
        Lease second = client.lock(OWN + "b").tryAcquire().orElseThrow();
        link.partition();
        time.advance(Duration.ofSeconds(60));
        assertThat(List.of(first.state(), second.state())).containsOnly(LeaseState.LOST);
        assertThat(logged())
                .filteredOn(line -> line.startsWith("WARNING lost the lease of lock '"))
                .hasSize(2)
                .anyMatch(line -> line.contains(named(first) + ": "))
                .anyMatch(line -> line.contains("lock '" + OWN + "b' with token " + second.fencingToken()));
    }

    @Test
    void what_waits_for_the_end_of_its_span_is_logged_when_the_client_ends() {
        assertThat(lock.tryAcquire()).isPresent();
        assertThat(client.lock(OWN + "b").tryAcquire()).isPresent();
        link.partition();
        for (int i = 0; i < 600 && logged().stream().noneMatch(line -> line.contains("WARNING lost")); i++) {
            time.advance(Duration.ofMillis(100));
        }
        client.closeNow();
        assertThat(logged())
                .filteredOn(line -> line.contains("WARNING lost the lease"))
                .hasSize(2);
    }

    @Test
    void what_the_client_library_threw_is_the_cause_of_the_exception_while_debug_is_logged() {
        ScriptedBackend down = new ScriptedBackend(server.link());
        IOException thrown = new IOException("connection reset");
        down.onAcquire = (claim, call) -> CompletableFuture.failedFuture(new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "the server is gone", thrown));
        try (LockClient full = LockClient.over(down, options)) {
            assertThatThrownBy(full.lock(OWN + "d")::tryAcquire).hasNoCause();
            logger.setLevel(Level.FINE);
            assertThatThrownBy(full.lock(OWN + "d")::tryAcquire).cause().isSameAs(thrown);
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void closing_a_client_whose_server_is_down_logs_no_trace() {
        ScriptedBackend down = new ScriptedBackend(server.link());
        LockClient closing = LockClient.over(down, options);
        assertThat(closing.lock(OWN + "b").tryAcquire()).isPresent();
        down.onRelease = (claim, call) -> CompletableFuture.failedFuture(failure("connection refused"));
        closing.closeNow();
        assertThat(logged())
                .contains("WARNING the lock service fails: connection refused (logged once, until it answers again)")
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void a_lease_that_nobody_refers_to_is_reported_once_with_the_place_where_it_was_acquired() {
        String named = drop();
        for (int i = 0; i < 100 && logged().isEmpty(); i++) {
            System.gc();
            time.advance(Duration.ofSeconds(5));
        }
        time.advance(Duration.ofSeconds(60));
        assertThat(logged())
                .singleElement()
                .asString()
                .startsWith("WARNING " + named + " is held, and nobody refers to it")
                .contains("it was acquired at " + LoggingTest.class.getName() + ".drop(LoggingTest.java:");
        assertThat(server.size()).isOne();
    }

    private String drop() {
        return named(lock.tryAcquire().orElseThrow());
    }

    @Test
    void a_lease_that_is_released_or_still_referred_to_is_not_reported() {
        Lease kept = client.lock(OWN + "b").tryAcquire().orElseThrow();
        lock.tryAcquire().orElseThrow().release();
        for (int i = 0; i < 5; i++) {
            System.gc();
            time.advance(Duration.ofSeconds(15));
        }
        assertThat(logged()).isEmpty();
        assertThat(kept.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void a_thread_that_waits_for_its_own_lease_is_warned_once() throws Exception {
        try (LockClient real = LockClient.over(new MemoryServer(new RealClock()).link(), ClientOptions.defaults())) {
            DistributedLock own = real.lock(OWN + "own");
            try (Lease held = own.acquire()) {
                assertThat(own.tryAcquire(Duration.ofMillis(20))).isEmpty();
                assertThat(own.tryAcquire(Duration.ofMillis(20))).isEmpty();
                assertThat(held.state()).isEqualTo(LeaseState.HELD);
            }
        }
        assertThat(logged())
                .singleElement()
                .asString()
                .startsWith("WARNING thread '" + Thread.currentThread().getName()
                        + "' waits for lock 'logged-own', whose lease");
    }

    @Test
    void a_thread_that_waits_for_its_own_lease_with_other_locks_is_warned_once() throws Exception {
        try (LockClient real = LockClient.over(new MemoryServer(new RealClock()).link(), ClientOptions.defaults())) {
            DistributedLock own = real.lock(OWN + "own");
            MultiLock all = real.allOf(real.lock(OWN + "first"), own);
            try (Lease held = own.acquire()) {
                assertThat(all.tryAcquire(Duration.ofMillis(20))).isEmpty();
                assertThat(all.tryAcquire(Duration.ofMillis(20))).isEmpty();
                assertThat(held.state()).isEqualTo(LeaseState.HELD);
            }
            try (MultiLease held = all.acquire()) {
                assertThat(own.tryAcquire(Duration.ofMillis(20))).isEmpty();
                assertThat(held.state()).isEqualTo(LeaseState.HELD);
            }
        }
        assertThat(logged())
                .hasSize(2)
                .allMatch(line -> line.startsWith("WARNING thread '"
                        + Thread.currentThread().getName() + "' waits for lock 'logged-own', whose lease"));
    }

    @Test
    void leases_of_several_locks_that_nobody_refers_to_are_reported_once_each() {
        dropSeveral();
        for (int i = 0; i < 100 && logged().size() < 2; i++) {
            System.gc();
            time.advance(Duration.ofSeconds(5));
        }
        time.advance(Duration.ofSeconds(60));
        assertThat(logged())
                .hasSize(2)
                .allMatch(line -> line.contains(" is held, and nobody refers to it"))
                .allMatch(line -> line.contains(".dropSeveral(LoggingTest.java:"));
    }

    private void dropSeveral() {
        MultiLease lease =
                client.allOf(lock, client.lock(OWN + "b")).tryAcquire().orElseThrow();
        lease.onChange(Runnable::run, state -> {}).close();
        lease.run(held -> {});
    }

    @Test
    void a_thread_whose_release_is_under_way_does_not_wait_for_itself() throws Exception {
        ScriptedBackend backend = new ScriptedBackend(new MemoryServer(new RealClock()).link());
        try (LockClient real = LockClient.over(backend, ClientOptions.defaults())) {
            DistributedLock own = real.lock(OWN + "own");
            Lease released = own.acquire();
            CompletableFuture<Void> later = new CompletableFuture<>();
            backend.onRelease = (claim, call) -> later.thenCompose(now -> call.get());
            CompletableFuture<ReleaseResult> release = released.releaseAsync();
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> later.complete(null));

            own.acquire().release();

            assertThat(release).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(logged()).isEmpty();
    }

    @Test
    void a_name_with_line_breaks_stays_on_one_line() {
        DistributedLock forged = client.lock(OWN + "x\n2026-01-01 INFO all is well");
        Lease lease = forged.tryAcquire().orElseThrow();
        link.partition();
        time.advance(Duration.ofSeconds(60));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(logged()).isNotEmpty().noneMatch(line -> line.contains("\n"));
    }
}
