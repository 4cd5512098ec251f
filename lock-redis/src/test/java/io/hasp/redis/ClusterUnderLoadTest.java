package io.hasp.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * 10,000 locks are held over three masters, and callers take some others from each other, while slots move and then a master is killed.
 * A move loses nothing. The failover may forget grants of that master; how many, is printed. Tokens are in order all the same, every
 * client goes on, and in the end nothing is left on the servers.
 */
class ClusterUnderLoadTest {
    private static final int HELD = 10_000;
    private static final int CONTENDED = 40;
    private static final int THREADS = 4;
    private static final int MOVED_SLOTS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration UNTIL_ALL_KEYS_EXPIRED = Duration.ofMinutes(3);

    private static final List<AutoCloseable> OPEN = new ArrayList<>();

    private final Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> holders = new ConcurrentHashMap<>();
    private final AtomicInteger holds = new AtomicInteger();
    private final List<String> together = new CopyOnWriteArrayList<>();
    private final List<String> outOfOrder = new CopyOnWriteArrayList<>();
    private final List<Lease> leases = new ArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final List<AtomicInteger> rounds = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    private static String key(String name) {
        return "hasp:{" + name + "}";
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable one : OPEN) {
            one.close();
        }
    }

    @Test
    void fa8_only_a_failover_loses_locks_and_every_client_goes_on_while_slots_move_and_a_master_is_killed()
            throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "the full tier only: it takes some minutes");
        ClusterServers cluster = ClusterServers.start(true, Duration.ofSeconds(1));
        OPEN.add(cluster);
        try (LockClient jedis = connect(cluster, "jedis");
                LockClient lettuce = connect(cluster, "lettuce");
                LockClient redisson = connect(cluster, "redisson")) {
            hold(jedis, lettuce, redisson);
            contend(jedis, lettuce, redisson);
            RedisServer first = cluster.masters().get(0);
            RedisServer second = cluster.masters().get(1);
            IntStream slots = IntStream.range(0, MOVED_SLOTS);
            long began = System.nanoTime();
            cluster.move(slots, second);
            System.err.println(MOVED_SLOTS + " slots were moved in "
                    + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms, " + holds + " holds, "
                    + leases.size()
                    + " locks held all the time");
            assertThat(lost).isEmpty();
            assertThat(together).isEmpty();
            awaitProgress();

            kill(cluster, first);
            awaitProgress();
            System.err.println("then a master was killed: " + holds + " holds, " + together.size()
                    + " of them while another one of the same name went on; " + lost.size() + " locks of "
                    + leases.size()
                    + " lost");
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
            leases.forEach(Lease::release);
        }
        assertThat(outOfOrder).isEmpty();
        await().atMost(UNTIL_ALL_KEYS_EXPIRED)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(keys(cluster)).isEmpty());
    }

    private static LockClient connect(ClusterServers cluster, String library) {
        return LockClient.connect(Through.uri("redis-cluster://" + cluster.addresses() + "?connection=" + library
                + "&renewedLease=30s&unavailableAfter=30s"));
    }

    private void hold(LockClient... clients) throws InterruptedException {
        for (int i = 0; i < HELD; i++) {
            String name = "held" + i;
            Lease lease = clients[i % clients.length].lock(name).acquire();
            lease.onChange(Runnable::run, state -> {
                if (state == LeaseState.LOST) {
                    lost.add(name);
                }
            });
            leases.add(lease);
        }
    }

    private void contend(LockClient... clients) {
        for (LockClient client : clients) {
            for (int i = 0; i < THREADS; i++) {
                AtomicInteger mine = new AtomicInteger();
                Thread thread = new Thread(() -> load(client, mine));
                rounds.add(mine);
                threads.add(thread);
                thread.start();
            }
        }
    }

    private void awaitProgress() {
        rounds.forEach(mine -> mine.set(0));
        await().atMost(PATIENCE).until(() -> rounds.stream().allMatch(mine -> mine.get() > 0));
    }

    /** Kills a master, whose locks may then be lost or held twice. */
    private void kill(ClusterServers cluster, RedisServer master) {
        List<String> there = IntStream.range(0, HELD)
                .mapToObj(i -> "held" + i)
                .filter(name -> cluster.masterOf(key(name)) == master)
                .toList();
        List<String> contendedThere = IntStream.range(0, CONTENDED)
                .mapToObj(i -> "n" + i)
                .filter(name -> cluster.masterOf(key(name)) == master)
                .toList();
        int slot = cluster.slot(key(there.get(0)));
        master.kill();
        cluster.awaitFailoverFrom(master, slot);
        master.restart();
        cluster.awaitSettled();
        awaitProgress();
        // The next renewal at the latest finds the losses.
        long end = System.nanoTime() + Duration.ofSeconds(12).toNanos();
        await().atMost(PATIENCE).until(() -> System.nanoTime() - end > 0);
        assertThat(there).containsAll(lost);
        assertThat(contendedThere).containsAll(together);
    }

    private void load(LockClient client, AtomicInteger mine) {
        for (int i = 0; !over; i++) {
            String name = "n" + i % CONTENDED;
            AtomicLong newest = tokens.computeIfAbsent(name, first -> new AtomicLong());
            long before = newest.get();
            try {
                Optional<Lease> lease = client.lock(name).tryAcquire(Duration.ofSeconds(1));
                if (lease.isPresent()) {
                    newest.accumulateAndGet(lease.get().fencingToken(), Math::max);
                    if (lease.get().fencingToken() <= before) {
                        outOfOrder.add(name + ": " + lease.get().fencingToken() + " after " + before);
                    }
                    hold(name, lease.get());
                    mine.incrementAndGet();
                }
            } catch (LockException e) {
                assertThat(e).hasMessageContaining("redis");
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void hold(String name, Lease lease) throws InterruptedException {
        holds.incrementAndGet();
        AtomicInteger now = holders.computeIfAbsent(name, first -> new AtomicInteger());
        if (now.incrementAndGet() > 1) {
            together.add(name);
        }
        Thread.sleep(2);
        now.decrementAndGet();
        lease.release();
    }

    private static List<String> keys(ClusterServers cluster) {
        return cluster.masters().stream()
                .flatMap(master -> ((List<?>) requireNonNull(master.command("KEYS", "*"))).stream())
                .map(String::valueOf)
                .toList();
    }
}
