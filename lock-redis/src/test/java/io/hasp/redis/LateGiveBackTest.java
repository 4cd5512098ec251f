package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockScript;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A grant that no replica acknowledges is given back, and that release is under way for longer than its caller waits. It must not end what
 * the caller is granted next.
 */
@InTier(Tier.STANDARD)
class LateGiveBackTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Claim EXCLUSIVE = TestClient.claim("a", TestClient.LEASE, true);

    private final RedisServer master = RedisServer.start("repl-diskless-sync-delay 0");
    private final RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
    private final FaultProxy proxy = FaultProxy.before(master.port());

    @BeforeEach
    void replicated() {
        await().atMost(PATIENCE)
                .until(() ->
                        String.valueOf(master.command("INFO", "replication")).contains("state=online"));
    }

    @AfterEach
    void stop() {
        proxy.close();
        replica.close();
        master.close();
    }

    private TestClient client(String library) {
        return new TestClient(Through.of(library)
                .source(RedisConfig.of("127.0.0.1", proxy.port())
                        .commandTimeout(Duration.ofSeconds(1))
                        .locks(RedisLocks.defaults().acknowledge(1, Duration.ofMillis(500)))));
    }

    private static Claim of(String holder, Claim like) {
        return TestClient.claim(holder, TestClient.LEASE, true).withShare(like.share());
    }

    @ParameterizedTest
    @CsvSource({"jedis, false", "lettuce, false", "redisson, false", "jedis, true", "lettuce, true", "redisson, true"})
    void a_release_that_arrives_late_ends_no_later_grant(String library, boolean shared) throws Exception {
        Claim claim = shared ? EXCLUSIVE.withShare(new Share(1, Share.READ_WRITE)) : EXCLUSIVE;
        LockScript release = shared ? LockScript.SHARED_RELEASE : LockScript.RELEASE;
        try (TestClient client = client(library)) {
            Claim before = of("before", claim);
            assertThat(client.acquire(before)).isInstanceOf(Attempt.Granted.class);
            TestClient.answer(client.backend.release(before));
            CompletableFuture<ProxiedConnection> held = proxy.when(
                    Direction.REQUESTS,
                    release.sha(),
                    connection -> connection.set(Direction.REQUESTS, TrafficPolicy.HOLD));
            replica.pause();
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire(claim));
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            replica.resume();
            replicated();

            AtomicReference<Attempt> again = new AtomicReference<>();
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> {
                        again.set(client.acquire(claim));
                        return true;
                    });
            held.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).set(Direction.REQUESTS, TrafficPolicy.PASS);
            await().atMost(PATIENCE).until(() -> Objects.equals(master.command("EXISTS", TestClient.KEY), 0L));
            assertThat(again.get()).as("the lock is free").isInstanceOf(Attempt.Gone.class);
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.acquire(of("b", claim)) instanceof Attempt.Granted);
        }
    }
}
