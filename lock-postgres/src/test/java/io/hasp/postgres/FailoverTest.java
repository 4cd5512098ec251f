package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities.Survives;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The takeover by a streaming replica loses what it had not received, and nothing if commits wait for it. */
@Timeout(300)
@InTier(Tier.STANDARD)
class FailoverTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private final PostgresServer primary = PostgresServer.start();
    private PostgresServer replica;

    @BeforeEach
    void replicate() {
        TestBackend.on(primary).close();
        replica = primary.startReplica();
        await("the replica follows")
                .atMost(LIMIT)
                .until(() -> primary.run("select count(*) from pg_stat_replication where state = 'streaming'") == 1);
    }

    @AfterEach
    void stop() {
        primary.close();
        replica.close();
    }

    private String uri() {
        return PostgresServer.uri("127.0.0.1:" + primary.port() + ",127.0.0.1:" + replica.port());
    }

    private void takeOver() {
        replica.run("select pg_promote()::int");
        await("the replica takes writes")
                .atMost(LIMIT)
                .until(() -> replica.run("select pg_is_in_recovery()::int") == 0);
    }

    private static Claim claim(String name) {
        return Claim.renewedLease(new LockName(name), new HolderId("h-" + name), Duration.ofMinutes(9), false);
    }

    /** As declared: no client promises that a grant survives it. */
    @Test
    void a_grant_that_the_replica_has_not_received_is_lost_and_its_holder_notices() throws Exception {
        ClientOptions options = ClientOptions.defaults().renewedLease(Duration.ofSeconds(10));
        try (TestBackend declares = TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(uri()))));
                LockClient client = LockClient.connect(URI.create(uri()), options);
                LockClient other = LockClient.connect(URI.create(uri()), options)) {
            assertThat(declares.backend().capabilities().survives()).containsExactly(Survives.SERVER_RESTART);
            // Not paused: it would find what was sent to it in its socket.
            replica.kill();
            Lease lost = client.lock("lost").acquire();
            primary.kill();
            replica.restart();
            takeOver();
            Lease next = other.lock("lost").tryAcquire(LIMIT).orElseThrow();
            assertThat(next.fencingToken()).as("the token of the next holder").isGreaterThan(lost.fencingToken());
            await("the first holder finds out").atMost(LIMIT).until(() -> lost.state() == LeaseState.LOST);
            assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void no_answered_grant_is_lost_if_commits_wait_for_the_replica() {
        synchronous();
        List<Grant> granted = new ArrayList<>();
        try (TestBackend client = TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(uri()))))) {
            assertThat(client.backend().capabilities().survives()).contains(Survives.FAILOVER);
            AtomicInteger number = new AtomicInteger();
            CompletableFuture<Void> killed = CompletableFuture.runAsync(() -> {
                await().atMost(LIMIT).until(() -> number.get() > 200);
                primary.kill();
            });
            assertThatThrownBy(() -> {
                        while (true) {
                            granted.add(client.granted(claim("sync" + number.incrementAndGet())));
                        }
                    })
                    .isInstanceOf(BackendFailure.class);
            killed.join();
            takeOver();
        }
        assertThat(granted).hasSizeGreaterThan(100);
        assertThat(granted).allMatch(this::isThere);
    }

    private boolean isThere(Grant grant) {
        String name = PostgresFaults.quoted(grant.claim().name().value());
        return replica.run("select count(*) from hasp_holder where name = " + name + " and token = " + grant.token()
                        + " and expires > clock_timestamp()")
                == 1;
    }

    @Test
    void a_replica_that_does_not_answer_is_an_outage_if_commits_wait_for_it() {
        synchronous();
        try (TestBackend client =
                TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(uri() + "&commandTimeout=500ms"))))) {
            replica.pause();
            assertThatThrownBy(() -> client.acquire(claim("silent")))
                    .isInstanceOfSatisfying(BackendFailure.class, failure -> {
                        assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
                        assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
                    });
            replica.resume();
            await("the replica answers")
                    .atMost(LIMIT)
                    .ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.acquire(claim("heard")) instanceof Attempt.Granted);
        }
    }

    private void synchronous() {
        primary.run("alter system set synchronous_standby_names = 'replica'");
        primary.run("select pg_reload_conf()::int");
        await("commits wait")
                .atMost(LIMIT)
                .until(() -> primary.run("select count(*) from pg_stat_replication where sync_state = 'sync'") == 1);
    }
}
