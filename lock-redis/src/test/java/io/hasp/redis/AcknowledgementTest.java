package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A grant is believed only when a replica has received it: one master with one replica. */
@InTier(Tier.STANDARD)
class AcknowledgementTest {
    private static final RedisServer MASTER = RedisServer.start("repl-diskless-sync-delay 0");
    private static final RedisServer REPLICA = RedisServer.start("replicaof 127.0.0.1 " + MASTER.port());
    private static final RedisConfig PATIENTLY = config(1, Duration.ofMillis(2_500));

    @BeforeEach
    void replicated() {
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        String.valueOf(MASTER.command("INFO", "replication")).contains("state=online"));
        MASTER.command("FLUSHALL");
    }

    @AfterEach
    void resume() {
        REPLICA.resume();
    }

    @AfterAll
    static void stop() {
        REPLICA.close();
        MASTER.close();
    }

    private static RedisConfig config(int replicas, Duration within) {
        Duration timeout = RedisConfig.DEFAULT_COMMAND_TIMEOUT;
        return RedisConfig.of("127.0.0.1", MASTER.port())
                .commandTimeout(within.compareTo(timeout.dividedBy(2)) > 0 ? within.multipliedBy(2) : timeout)
                .locks(RedisLocks.defaults().acknowledge(replicas, within));
    }

    private static TestClient client(String library, int replicas) {
        return client(library, config(replicas, Acknowledgement.DEFAULT_WITHIN));
    }

    private static TestClient client(String library, RedisConfig config) {
        return new TestClient(Through.of(library).source(config));
    }

    private static LockClient lockClient(String library, Duration within) {
        return LockClient.over(Through.of(library).source(config(1, within)), ClientOptions.defaults());
    }

    private static BackendFailure refused(TestClient client, String holder) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire(holder));
        assertThat(failure).as("the attempt of " + holder).isNotNull();
        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        return failure;
    }

    private static String lock(RedisServer server) {
        return String.valueOf(server.command("GET", TestClient.KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_grant_is_on_the_replica_when_it_is_told(String library) {
        try (TestClient client = client(library, PATIENTLY)) {
            for (int i = 0; i < 50; i++) {
                client.granted("h" + i);
                assertThat(lock(REPLICA)).contains("|h" + i + "|");
                assertThat(client.release("h" + i)).isEqualTo(Released.RELEASED);
            }
            MASTER.command("SCRIPT", "FLUSH");
            client.granted("a");
            assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_grant_that_is_not_acknowledged_is_given_back_and_its_attempt_says_why(String library) {
        try (TestClient client = client(library, 1);
                TestClient other = client(library, 2)) {
            assertThat(refused(other, "a"))
                    .hasMessageContaining("1 of 2 replicas of redis://127.0.0.1:" + MASTER.port())
                    .hasMessageContaining("the grant of 'orders/42' within 50 ms")
                    .hasMessageContaining("it was given back");
            REPLICA.pause();
            assertThat(refused(client, "b")).hasMessageContaining("0 of 1 replicas");
            assertThat(MASTER.command("EXISTS", TestClient.KEY)).isEqualTo(0L);
            REPLICA.resume();
            await().ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.acquire("c") instanceof Attempt.Granted || client.release("c") == null);
        }
    }

    /** A caller may wait for the replicas of others first: both waits together last as long as a command may. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void callers_that_wait_for_one_another_do_not_take_the_master_for_silent(String library) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(60);
        try (TestClient client = client(library, config(1, Duration.ofSeconds(2)))) {
            client.granted("a");
            REPLICA.pause();
            List<Future<BackendFailure>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                Claim claim =
                        Claim.renewedLease(new LockName("of" + i), new HolderId("h" + i), TestClient.LEASE, false);
                all.add(threads.submit(() -> catchThrowableOfType(BackendFailure.class, () -> client.acquire(claim))));
            }
            List<String> messages = new ArrayList<>();
            for (Future<BackendFailure> one : all) {
                messages.add(one.get().getMessage());
            }
            assertThat(messages).allSatisfy(message -> assertThat(message).contains("0 of 1 replicas"));
        } finally {
            threads.shutdownNow();
        }
    }

    /** The release that hands a lock to a waiter may be on no replica. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_direct_grant_is_not_believed_before_it_is_acknowledged(String library) {
        try (TestClient holder = new TestClient(Through.source(MASTER.uri()));
                TestClient waiter = client(library, config(1, Duration.ofMillis(500)))) {
            holder.granted("a");
            assertThat(waiter.acquire("b")).isInstanceOf(Attempt.Busy.class);
            REPLICA.pause();
            holder.release("a");
            await().until(() -> waiter.signals.contains("b MAYBE_FREE"));
            assertThat(lock(MASTER)).contains("|b|");
            assertThat(refused(waiter, "b")).hasMessageContaining("0 of 1 replicas");
            assertThat(MASTER.command("EXISTS", TestClient.KEY)).isEqualTo(0L);
            REPLICA.resume();
            holder.granted("c");
            assertThat(waiter.acquire("d")).isInstanceOf(Attempt.Busy.class);
            holder.release("c");
            await().until(() -> waiter.signals.contains("d MAYBE_FREE"));
            await().ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> lock(REPLICA).contains("|d|"));
            waiter.granted("d");
        }
    }

    /** The wait for replicas may take longer than the claim. Each grant to a waiter would then arrive too late, and be given back. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_direct_grant_that_is_acknowledged_is_valid_for_the_whole_lease(String library) {
        try (TestClient holder = new TestClient(Through.source(MASTER.uri()));
                TestClient waiter = client(library, PATIENTLY)) {
            holder.granted("a");
            assertThat(waiter.acquire("b")).isInstanceOf(Attempt.Busy.class);
            holder.release("a");
            await().until(() -> waiter.signals.contains("b MAYBE_FREE"));
            String handedOver = lock(MASTER);
            Grant grant = waiter.granted("b");
            assertThat(handedOver).contains("|C|" + grant.token() + "|");
            assertThat(grant.validity()).isEqualTo(TestClient.LEASE);
            assertThat((Long) MASTER.command("PTTL", TestClient.KEY)).isGreaterThan(20_000L);
        }
    }

    /** The first copy of a request that was sent twice may arrive after a failover has lost the grant: its holder has to be released. */
    @Test
    void a_grant_that_was_lost_before_it_was_acknowledged_has_an_unknown_outcome() {
        try (FaultProxy proxy = FaultProxy.before(MASTER.port());
                TestClient others = new TestClient(Through.source(MASTER.uri()));
                TestClient client = new TestClient(Through.JEDIS.source(RedisConfig.of("127.0.0.1", proxy.port())
                        .commandTimeout(Duration.ofSeconds(10))
                        .locks(RedisLocks.defaults().acknowledge(1, Duration.ofSeconds(5)))))) {
            proxy.when(Direction.REPLIES, "GRANTED", connection -> {
                proxy.when(Direction.REPLIES, "GRANTED", again -> MASTER.command("DEL", TestClient.KEY));
                connection.cut(ConnectionEnd.RST);
            });
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire("a"));
            assertThat(failure).hasMessageContaining("lost the grant of 'orders/42'");
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(client.release("a")).isEqualTo(Released.NOT_HELD);
            others.granted("b");
            others.release("b");
            assertThat(others.tryAcquire("a")).isInstanceOf(Attempt.Gone.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void shares_are_acknowledged_as_well(String library) {
        try (TestClient client = client(library, PATIENTLY)) {
            Claim share = TestClient.claim("r", TestClient.LEASE, true).withShare(new Share(1, Share.READ_WRITE));
            assertThat(client.acquire(share)).isInstanceOf(Attempt.Granted.class);
            assertThat(REPLICA.command("EXISTS", TestClient.KEY)).isEqualTo(1L);
            assertThat(TestClient.answer(client.backend.release(share))).isEqualTo(Released.RELEASED);
        }
        try (TestClient client = client(library, 2)) {
            Claim share = TestClient.claim("r", TestClient.LEASE, true).withShare(new Share(1, Share.READ_WRITE));
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> client.acquire(share))
                    .withMessageContaining("1 of 2 replicas");
            assertThat(MASTER.command("EXISTS", TestClient.KEY)).isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_user_who_may_not_wait_is_told_so(String library) {
        MASTER.command("ACL", "SETUSER", "locks", "on", ">secret", "~*", "&*", "+@all", "-wait");
        RedisConfig config = config(1, Acknowledgement.DEFAULT_WITHIN).credentials("locks", "secret");
        try (TestClient client = client(library, config)) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> client.acquire("a"))
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                    .withMessageContaining("acknowledgement of 'orders/42'")
                    .withMessageContaining("wait");
        }
    }

    /** Those that wait at the same time share a wait: many are hardly slower than one, and an outage ends them all. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void callers_wait_out_an_outage_of_the_replica_and_never_hear_that_a_lock_is_held(String library) {
        try (LockClient client = lockClient(library, Duration.ofMillis(200))) {
            REPLICA.pause();
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> client.lock("n").tryAcquire())
                    .withMessageContaining("0 of 1 replicas");
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(client.lock("n" + i).acquireAsync().toCompletableFuture());
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            REPLICA.resume();
            await().atMost(Duration.ofSeconds(20)).until(() -> waiting.stream().allMatch(CompletableFuture::isDone));
            waiting.forEach(lease -> lease.join().release());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void many_that_come_together_are_acknowledged_by_a_server_that_has_forgotten_the_script(String library) {
        try (LockClient client = lockClient(library, Duration.ofSeconds(1))) {
            MASTER.command("SCRIPT", "FLUSH");
            List<CompletableFuture<Lease>> all = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                all.add(client.lock("m" + i).acquireAsync().toCompletableFuture());
            }
            all.forEach(lease -> lease.join().release());
        }
    }

    private static RedissonClient redisson(int pool) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(MASTER.uri())
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(pool)
                .setTimeout(5_000);
        return Redisson.create(config);
    }

    /** A wait has a socket of its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void others_do_not_wait_behind_a_wait_of_an_applications_redisson(int pool) throws Exception {
        RedissonClient redisson = redisson(pool);
        RedisLocks patiently = RedisLocks.defaults().acknowledge(1, Duration.ofMillis(2_500));
        try (TestClient client = new TestClient(RedisBackend.onRedisson(redisson, patiently))) {
            client.granted("a");
            client.release("a");
            REPLICA.pause();
            CompletableFuture<Attempt> waiting = client.backend
                    .acquire(TestClient.claim("b", TestClient.LEASE, true), signal -> {})
                    .toCompletableFuture();
            await().until(() -> String.valueOf(MASTER.command("CLIENT", "LIST")).contains("cmd=wait"));
            for (int i = 0; i < 200; i++) {
                redisson.getBucket("other" + i).set("a");
                assertThat(client.tryAcquire("c" + i)).isInstanceOf(Attempt.Busy.class);
            }
            assertThat(waiting).isNotDone();
            REPLICA.resume();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(Attempt.Granted.class);
            client.release("b");
        } finally {
            redisson.shutdown();
        }
    }

    @Test
    void a_timeout_that_is_too_small_is_refused() {
        RedisClient lettuce = RedisClient.create();
        try {
            RedisURI uri = RedisURI.create(MASTER.uri());
            uri.setTimeout(Duration.ofSeconds(1));
            assertRefused(
                    RedisBackend.onLettuce(lettuce, uri, RedisLocks.defaults().acknowledge(1, Duration.ofMillis(501))),
                    "half of commandTimeout, which is PT1S");
        } finally {
            lettuce.shutdown();
        }
    }

    private static void assertRefused(BackendSource source, String words) {
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.over(source, ClientOptions.defaults()))
                .withMessageContaining(words);
    }

    @Test
    void grants_through_an_applications_lettuce_are_acknowledged() {
        RedisClient lettuce = RedisClient.create();
        try (TestClient client = new TestClient(RedisBackend.onLettuce(
                lettuce, RedisURI.create(MASTER.uri()), RedisLocks.defaults().acknowledge(2)))) {
            assertThat(refused(client, "a")).hasMessageContaining("1 of 2 replicas");
        } finally {
            lettuce.shutdown();
        }
    }
}
