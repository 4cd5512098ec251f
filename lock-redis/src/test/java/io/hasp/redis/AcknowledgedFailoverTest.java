package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SubscriptionMode;

/**
 * A master with one replica dies while locks are given, and a moment after the replica has lost its connection to it: what is granted in
 * that moment is lost, unless grants are acknowledged.
 */
@InTier(Tier.STANDARD)
class AcknowledgedFailoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Each lock is looked at afterwards: a few hundred are enough. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private static final int BEFORE_THE_CUT = 20;
    private static final int ATTEMPTS_AFTER_THE_CUT = 10;
    private static final SentinelServers SERVERS = SentinelServers.start(1, Duration.ofSeconds(1));
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    @AfterAll
    static void stop() {
        SERVERS.close();
    }

    private static LockClient connect(String library, String more) {
        return LockClient.connect(Through.uri("redis-sentinel://" + SERVERS.addresses() + "?sentinelMasterId="
                + SentinelServers.MASTER_ID + "&renewedLease=60s&connection=" + library + more));
    }

    @Test
    void fa8_a_failover_loses_no_lock_that_the_only_replica_has_acknowledged() throws Exception {
        int failovers = Tier.count(2, 20);
        try (LockClient jedis = connect("jedis", "&acknowledge=1");
                LockClient lettuce = connect("lettuce", "&acknowledge=1")) {
            for (int i = 0; i < failovers; i++) {
                failOverUnderLoad(List.of(jedis, lettuce));
            }
        }
        assertNoneLost("acknowledged", failovers);
    }

    /** The application's own client follows the sentinels by itself. */
    @Test
    void fa8_a_failover_loses_no_acknowledged_lock_of_an_applications_redisson_client() throws Exception {
        int failovers = Tier.count(1, 20);
        RedissonClient redisson = redisson();
        try (LockClient client = LockClient.over(
                RedisBackend.onRedisson(redisson, RedisLocks.defaults().acknowledge(1)),
                ClientOptions.defaults().renewedLease(Duration.ofSeconds(60)))) {
            for (int i = 0; i < failovers; i++) {
                failOverUnderLoad(List.of(client));
            }
        } finally {
            redisson.shutdown();
        }
        assertNoneLost("acknowledged to Redisson", failovers);
    }

    private static RedissonClient redisson() {
        Config config = new Config();
        config.useSentinelServers()
                .setMasterName(SentinelServers.MASTER_ID)
                .addSentinelAddress(
                        SERVERS.sentinels().stream().map(RedisServer::uri).toArray(String[]::new))
                .setSubscriptionMode(SubscriptionMode.MASTER)
                .setScanInterval(500)
                .setTimeout(2_000)
                .setRetryAttempts(1);
        return Redisson.create(config);
    }

    private void assertNoneLost(String what, int failovers) {
        System.err.println(what + ": " + failovers + " failovers, " + held + " locks held over them, " + lost
                + " lost, " + refused + " attempts refused");
        assertThat(refused.get()).as("attempts after the cut").isGreaterThanOrEqualTo(failovers);
        assertThat(held.get()).isGreaterThanOrEqualTo(failovers * BEFORE_THE_CUT);
        assertThat(lost).hasValue(0);
    }

    @Test
    void fa8_a_failover_loses_locks_that_were_not_acknowledged() throws Exception {
        int failovers = Tier.count(1, 20);
        try (LockClient jedis = connect("jedis", "");
                LockClient lettuce = connect("lettuce", "")) {
            for (int i = 0; i < failovers; i++) {
                failOverUnderLoad(List.of(jedis, lettuce));
            }
        }
        System.err.println(
                "not acknowledged: " + failovers + " failovers, " + held + " locks held over them, " + lost + " lost");
        assertThat(lost.get()).isGreaterThan(0);
    }

    private void failOverUnderLoad(List<LockClient> clients) throws Exception {
        RedisServer master = SERVERS.master();
        RedisServer replica = SERVERS.servers().stream()
                .filter(server -> server.port() != master.port())
                .findFirst()
                .orElseThrow();
        awaitReplicated(clients);
        AtomicBoolean cut = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        ConcurrentLinkedQueue<Lease> leases = new ConcurrentLinkedQueue<>();
        AtomicInteger afterTheCut = new AtomicInteger();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (LockClient client : clients) {
            callers.add(CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    boolean wasCut = cut.get();
                    acquired(client).ifPresent(leases::add);
                    if (wasCut) {
                        afterTheCut.incrementAndGet();
                    }
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }));
        }
        await().atMost(PATIENCE).until(() -> leases.size() >= BEFORE_THE_CUT);
        cutOff(master, replica);
        cut.set(true);
        await().atMost(PATIENCE).until(() -> afterTheCut.get() >= ATTEMPTS_AFTER_THE_CUT);
        master.kill();
        over.set(true);
        CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
        SERVERS.awaitFailoverFrom(master);
        replica.command("CONFIG", "SET", "masteruser", "", "masterauth", "");
        for (Lease lease : leases) {
            // A client that has not noticed the failover yet is SUSPECT a moment later, so no state is read again.
            boolean kept = there(lease, replica);
            LeaseState expected = kept ? LeaseState.HELD : LeaseState.LOST;
            await().pollDelay(Duration.ZERO).atMost(PATIENCE).until(() -> lease.state() == expected);
            (kept ? held : lost).incrementAndGet();
            giveBack(lease);
        }
        master.restart();
        SERVERS.awaitSettled();
    }

    /** The replica can't log in any more when it connects again, which it does at once. */
    private static void cutOff(RedisServer master, RedisServer replica) {
        replica.command("CONFIG", "SET", "masteruser", "nobody", "masterauth", "nothing");
        master.command("CLIENT", "KILL", "TYPE", "replica");
        await().atMost(PATIENCE)
                .until(() ->
                        String.valueOf(master.command("INFO", "replication")).contains("connected_slaves:0"));
    }

    private static void awaitReplicated(List<LockClient> clients) {
        SERVERS.awaitSettled();
        for (LockClient client : clients) {
            await().atMost(PATIENCE).until(() -> {
                try {
                    Optional<Lease> lease = client.lock(name()).tryAcquire();
                    lease.ifPresent(Lease::release);
                    return lease.isPresent();
                } catch (LockException e) {
                    return false;
                }
            });
        }
    }

    private static String name() {
        return "n" + NAMES.incrementAndGet();
    }

    private Optional<Lease> acquired(LockClient client) {
        try {
            return client.lock(name()).tryAcquire();
        } catch (LockException e) {
            assertThat(e).hasMessageContaining("redis");
            refused.incrementAndGet();
            return Optional.empty();
        }
    }

    private static boolean there(Lease lease, RedisServer master) {
        return Objects.equals(master.command("EXISTS", "hasp:{" + lease.name() + "}"), 1L);
    }

    private static void giveBack(Lease lease) {
        try {
            lease.release();
        } catch (LockException e) {
            // It was lost, or the connection was.
        }
    }
}
