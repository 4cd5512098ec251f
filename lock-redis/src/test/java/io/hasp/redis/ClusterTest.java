package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.MultiLock;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks over three masters, whose slots move. */
@InTier(Tier.STANDARD)
class ClusterTest {
    @RegisterExtension
    static final SharedCluster SHARED = SharedCluster.ofMasters();

    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(4);
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final String run = "r" + RUNS.incrementAndGet() + "-";
    private final ClusterServers cluster = SHARED.servers();
    private final List<LockClient> clients = new ArrayList<>();

    private LockClient client(String library, String more) {
        LockClient client = LockClient.connect(
                Through.uri("redis-cluster://" + cluster.addresses() + "?connection=" + library + more));
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
    }

    private static String key(String name) {
        return "hasp:{" + name + "}";
    }

    private List<String> namesOfAllMasters() {
        return namesOfAllMasters("");
    }

    /** A name of each master. */
    private List<String> namesOfAllMasters(String kind) {
        return cluster.masters().stream()
                .map(master -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> run + kind + i)
                        .filter(name -> cluster.masterOf(key(name)) == master)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private RedisServer otherThan(RedisServer master) {
        return cluster.masters().stream()
                .filter(one -> one != master)
                .findFirst()
                .orElseThrow();
    }

    private static CompletableFuture<Lease> waiting(LockClient client, String name) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return client.lock(name).acquire();
                    } catch (InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    private void awaitWaiter(String name) {
        await().until(() -> Long.valueOf(1).equals(cluster.masterOf(key(name)).command("ZCARD", key(name) + ":q")));
    }

    @Test
    void locks_of_all_masters_are_taken_renewed_and_given_to_who_waits() throws Exception {
        LockClient one = client("jedis", "&renewedLease=3s");
        LockClient two = client("lettuce", "&renewedLease=3s");
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            leases.add((i % 2 == 0 ? one : two).lock(run + "held" + i).acquire());
            leases.add((i % 2 == 0 ? one : two)
                    .readWriteLock(run + "shared" + i)
                    .read()
                    .acquire());
        }
        for (String name : namesOfAllMasters()) {
            Lease lease = one.lock(name).acquire();
            assertThat(two.lock(name).tryAcquire()).isEmpty();
            CompletableFuture<Lease> next = waiting(two, name);
            awaitWaiter(name);
            lease.release();
            assertThat(next.join().fencingToken()).isGreaterThan(lease.fencingToken());
            next.join().release();
        }
        awaitTime(LONGER_THAN_A_LEASE);
        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
        leases.forEach(Lease::release);
    }

    /** The check at connect asks by a key that is not there, for which a node sends to where the slot goes. */
    @Test
    void a_client_connects_while_a_slot_is_being_moved() throws Exception {
        int slot = cluster.slot("{0}");
        RedisServer to = otherThan(cluster.masterOf("{0}"));
        cluster.beginMove(slot, to);
        try {
            for (String library : List.of("jedis", "lettuce", "redisson")) {
                for (String name : namesOfAllMasters()) {
                    client(library, "").lock(name).acquire().release();
                }
            }
        } finally {
            cluster.endMove(slot, to);
        }
    }

    /**
     * Renewals have to find the keys where they are by now, although the slot is still at the former master. A shared lock without waiters
     * has no queue, so both masters refuse each script that names one (TRYAGAIN), before its keys move and after it.
     */
    @Test
    void locks_are_renewed_and_waited_for_while_their_slots_move() throws Exception {
        // All to the same master: two that take slots at the same time may each see an older claim of the other.
        RedisServer to = cluster.masters().get(2);
        List<String> names = namesOfAllMasters().subList(0, 2);
        List<String> shared = namesOfAllMasters("shared").subList(0, 2);
        List<LockClient> holding = List.of(client("jedis", "&renewedLease=3s"), client("lettuce", "&renewedLease=3s"));
        List<LockClient> others = List.of(client("lettuce", ""), client("jedis", ""));
        List<Lease> leases = new ArrayList<>();
        List<Lease> shares = new ArrayList<>();
        List<CompletableFuture<Lease>> next = new ArrayList<>();
        List<LeaseState> states = new CopyOnWriteArrayList<>();
        for (int i = 0; i < holding.size(); i++) {
            Lease lease = holding.get(i).lock(names.get(i)).acquire();
            lease.onChange(Runnable::run, states::add);
            leases.add(lease);
            next.add(waiting(others.get(i), names.get(i)));
            awaitWaiter(names.get(i));
            shares.add(holding.get(i).readWriteLock(shared.get(i)).read().acquire());
        }
        for (int i = 0; i < holding.size(); i++) {
            cluster.beginMove(slot(names.get(i)), to);
            cluster.moveKeys(slot(names.get(i)), to);
            cluster.beginMove(slot(shared.get(i)), to);
        }
        cluster.moveKeys(slot(shared.get(0)), to);
        awaitTime(LONGER_THAN_A_LEASE);
        assertThat(shares).allMatch(lease -> lease.state() == LeaseState.HELD);
        for (int i = 0; i < holding.size(); i++) {
            cluster.endMove(slot(shared.get(i)), to);
            cluster.endMove(slot(names.get(i)), to);
        }
        assertThat(states).doesNotContain(LeaseState.LOST);
        for (int i = 0; i < holding.size(); i++) {
            assertThat(shares.get(i).release()).isEqualTo(ReleaseResult.RELEASED);
            leases.get(i).release();
            assertThat(next.get(i).join().fencingToken())
                    .isGreaterThan(leases.get(i).fencingToken());
            next.get(i).join().release();
        }
    }

    /**
     * One key after the other is moved, and it stays at that for longer than a lease: some locks of the slot are at one master, some at the
     * other, and some are apart from their counters. The time that a call may wait for keys is longer than the leases, too.
     */
    @Test
    void locks_of_a_slot_are_renewed_while_their_keys_are_at_two_masters() throws Exception {
        List<String> names = namesOfOneSlot(18);
        int slot = slot(names.get(0));
        RedisServer to = otherThan(cluster.masterOf(key(names.get(0))));
        List<Lease> leases = new ArrayList<>();
        List<String> lost = new CopyOnWriteArrayList<>();
        for (String library : List.of("jedis", "lettuce", "redisson")) {
            LockClient client = client(library, "&renewedLease=3s&commandTimeout=20s");
            for (int i = 0; i < 3; i++) {
                leases.add(client.lock(names.get(leases.size())).acquire());
                leases.add(client.readWriteLock(names.get(leases.size())).read().acquire());
            }
            leases.forEach(lease -> lease.onChange(Runnable::run, state -> {
                if (state == LeaseState.LOST) {
                    lost.add(library + " " + lease);
                }
            }));
        }
        cluster.beginMove(slot, to);
        try {
            for (int i = 0; i < leases.size(); i++) {
                if (i % 6 > 1) {
                    cluster.moveKey(key(names.get(i)), to);
                }
                if (i % 6 > 3) {
                    cluster.moveKey(key(names.get(i)) + ":t", to);
                }
            }
            awaitTime(LONGER_THAN_A_LEASE);
            assertThat(lost).isEmpty();
        } finally {
            cluster.endMove(slot, to);
        }
        leases.forEach(lease -> assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED));
    }

    /** Hundreds of calls wait for an answer of it, each on a thread of the client's while that is blocking. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_master_that_does_not_answer_holds_up_no_renewal_at_others(String library) throws Exception {
        assumeTrue(
                library.equals("jedis") || Tier.current() == Tier.FULL,
                "the full tier only: calls of this library wait on no thread of the client's");
        LockClient client = client(library, "&renewedLease=4s&unavailableAfter=60s");
        List<Lease> leases = new ArrayList<>();
        for (String name : namesOfAllMasters().subList(1, 3)) {
            leases.add(client.lock(name).acquire());
        }
        RedisServer silent = cluster.masters().get(0);
        List<String> there = IntStream.range(0, 1_200)
                .mapToObj(i -> run + "silent" + i)
                .filter(name -> SlotHash.getSlot(key(name)) < ClusterServers.SLOTS / 3)
                .filter(name -> cluster.masterOf(key(name)) == silent)
                .toList();
        silent.pause();
        try {
            List<CompletableFuture<Lease>> waiting =
                    there.stream().map(name -> client.lock(name).acquireAsync()).toList();
            awaitTime(LONGER_THAN_A_LEASE.multipliedBy(2));
            assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            waiting.forEach(one -> one.cancel(false));
        } finally {
            silent.resume();
        }
        leases.forEach(lease -> assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED));
    }

    /** The redirections of several requests are followed one after the other, on the thread of the call. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void several_locks_that_were_moved_to_a_silent_master_cost_one_timeout(String library) throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        LockClient client = client(library, "&commandTimeout=1s");
        List<String> names = namesOfOneSlot(12);
        MultiLock all = client.allOf(names.stream().map(client::lock).toList());
        all.run(lease -> {});
        int slot = slot(names.get(0));
        RedisServer former = cluster.masterOf(key(names.get(0)));
        RedisServer silent = otherThan(former);
        cluster.move(IntStream.of(slot), silent);
        silent.pause();
        try {
            MultiLockTimeoutTest.assertUnavailableWithin(1, timeout, all::tryAcquire);
        } finally {
            silent.resume();
        }
        all.run(lease -> {});
        cluster.move(IntStream.of(slot), former);
    }

    private List<String> namesOfOneSlot(int count) {
        int slot = SlotHash.getSlot(key(run));
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> run + i)
                .filter(name -> SlotHash.getSlot(key(name)) == slot)
                .limit(count)
                .toList();
    }

    private int slot(String name) {
        return cluster.slot(key(name));
    }

    private static void awaitTime(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await().until(() -> System.nanoTime() - end > 0);
    }
}
