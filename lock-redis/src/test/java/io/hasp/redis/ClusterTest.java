package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks over three masters, whose slots move. */
class ClusterTest {
    private static final ClusterServers CLUSTER = ClusterServers.start(false, Duration.ofMinutes(10));
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final String run = "r" + RUNS.incrementAndGet() + "-";
    private final List<LockClient> clients = new ArrayList<>();

    private LockClient client(String library, String more) {
        LockClient client =
                LockClient.connect("redis-cluster://" + CLUSTER.addresses() + "?connection=" + library + more);
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    private static String key(String name) {
        return "hasp:{" + name + "}";
    }

    /** A name of each master. */
    private List<String> namesOfAllMasters() {
        return CLUSTER.masters().stream()
                .map(master -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> run + i)
                        .filter(name -> CLUSTER.masterOf(key(name)) == master)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private static RedisServer otherThan(RedisServer master) {
        return CLUSTER.masters().stream()
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

    private static void awaitWaiter(String name) {
        await().until(() -> Long.valueOf(1).equals(CLUSTER.masterOf(key(name)).command("ZCARD", key(name) + ":q")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void locks_of_all_masters_are_taken_renewed_and_given_to_who_waits(String library) throws Exception {
        LockClient one = client(library, "&renewedLease=3s");
        LockClient two = client(library, "&renewedLease=3s");
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            leases.add(one.lock(run + "held" + i).acquire());
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
        long held = System.nanoTime();
        await().pollDelay(Duration.ofSeconds(4)).until(() -> System.nanoTime() - held > 4_000_000_000L);
        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
        leases.forEach(Lease::release);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_lock_is_held_waited_for_and_renewed_while_its_slot_moves(String library) throws Exception {
        LockClient one = client(library, "&renewedLease=3s");
        LockClient two = client(library, "");
        String name = namesOfAllMasters().get(0);
        Lease lease = one.lock(name).acquire();
        List<LeaseState> states = new ArrayList<>();
        lease.onChange(Runnable::run, states::add);
        CompletableFuture<Lease> next = waiting(two, name);
        awaitWaiter(name);
        int slot = CLUSTER.slot(key(name));
        RedisServer to = otherThan(CLUSTER.masterOf(key(name)));

        CLUSTER.beginMove(slot, to);
        CLUSTER.moveKeys(slot, to);
        // Longer than a lease: renewals have to find the keys where they are by now.
        long began = System.nanoTime();
        await().pollDelay(Duration.ofSeconds(4)).until(() -> System.nanoTime() - began > 4_000_000_000L);
        assertThat(states).isEmpty();
        CLUSTER.endMove(slot, to);
        lease.release();
        assertThat(next.join().fencingToken()).isGreaterThan(lease.fencingToken());
        next.join().release();
    }
}
