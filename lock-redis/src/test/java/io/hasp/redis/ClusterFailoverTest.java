package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica takes the place of one of three masters, and clients of all libraries go on. */
@InTier(Tier.STANDARD)
class ClusterFailoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ClusterServers CLUSTER = ClusterServers.start(true, Duration.ofSeconds(1));
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final List<Client> clients = new ArrayList<>();
    private RedisServer former = CLUSTER.masters().get(0);
    private int slot;

    /** One that holds a lock of the master that is going to be replaced, and one of another. */
    private final class Client implements AutoCloseable {
        final String library;
        final LockClient client;
        final Lease lease;
        final Lease elsewhere;
        final String next = nameAt(former, true);
        final List<LeaseState> states = new CopyOnWriteArrayList<>();
        final List<LeaseState> statesElsewhere = new CopyOnWriteArrayList<>();

        Client(String library) {
            this.library = library;
            this.client = LockClient.connect(Through.uri("redis-cluster://" + CLUSTER.addresses() + "?connection="
                    + library + "&renewedLease=30s&unavailableAfter=30s"));
            this.lease = acquire(nameAt(former, true));
            this.elsewhere = acquire(nameAt(former, false));
            lease.onChange(Runnable::run, states::add);
            elsewhere.onChange(Runnable::run, statesElsewhere::add);
        }

        Lease acquire(String name) {
            try {
                return client.lock(name).acquire();
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        }

        CompletableFuture<Lease> takeNext() {
            CompletableFuture<Lease> taken = new CompletableFuture<>();
            new Thread(() -> taken.completeAsync(() -> acquire(next), Runnable::run)).start();
            return taken;
        }

        void assertConfirmed() {
            await().atMost(PATIENCE).until(() -> states.contains(LeaseState.HELD));
            assertThat(states).as(library).startsWith(LeaseState.SUSPECT).doesNotContain(LeaseState.LOST);
            assertThat(statesElsewhere).as("of another master").isEmpty();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static String key(String name) {
        return "hasp:{" + name + "}";
    }

    private static String nameAt(RedisServer master, boolean there) {
        return IntStream.generate(NAMES::incrementAndGet)
                .mapToObj(i -> "n" + i)
                .filter(name -> (CLUSTER.masterOf(key(name)) == master) == there)
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void open() {
        CLUSTER.awaitSettled();
        former = CLUSTER.masters().get(0);
        clients.add(new Client("jedis"));
        clients.add(new Client("lettuce"));
        clients.add(new Client("redisson"));
        slot = CLUSTER.slot(key(clients.get(0).lease.name()));
        awaitReplicated();
    }

    private void awaitReplicated() {
        for (Client one : clients) {
            assertThat(former.command("WAIT", "1", "10000")).as(one.library).isEqualTo(1L);
        }
        await().until(() -> offset(former, "master_repl_offset") == offset(replica(), "slave_repl_offset"));
    }

    private RedisServer replica() {
        String nodes = String.valueOf(
                former.command("CLUSTER", "REPLICAS", String.valueOf(former.command("CLUSTER", "MYID"))));
        return CLUSTER.servers().stream()
                .filter(server -> nodes.contains("127.0.0.1:" + server.port() + "@"))
                .findFirst()
                .orElseThrow();
    }

    private static long offset(RedisServer server, String field) {
        return String.valueOf(server.command("INFO", "replication"))
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(field.length() + 1)))
                .sum();
    }

    @AfterEach
    void close() {
        clients.forEach(Client::close);
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    private void assertLocksAfterFailover(String what) {
        long began = System.nanoTime();
        List<CompletableFuture<Lease>> next =
                clients.stream().map(one -> one.takeNext()).toList();
        RedisServer other = CLUSTER.servers().stream()
                .filter(server -> server != former)
                .findFirst()
                .orElseThrow();
        await().atMost(PATIENCE).until(() -> CLUSTER.masterOf(other, slot) != former);
        long promoted = System.nanoTime();
        next.forEach(lease -> lease.join().release());
        System.err.println("after the master was " + what + ": another one after "
                + Duration.ofNanos(promoted - began).toMillis() + " ms, all next locks "
                + Duration.ofNanos(System.nanoTime() - promoted).toMillis() + " ms later");
        clients.forEach(Client::assertConfirmed);
    }

    @Test
    void a_killed_master_is_replaced_its_leases_are_confirmed_and_those_of_others_go_on() {
        former.kill();
        try {
            assertLocksAfterFailover("killed");
        } finally {
            former.restart();
        }
    }

    @Test
    void a_stopped_master_is_replaced_and_gets_no_lock_any_more_when_it_is_back() {
        former.pause();
        try {
            assertLocksAfterFailover("stopped");
        } finally {
            former.resume();
        }
        CLUSTER.awaitSettled();
        long before = scripts(former);
        for (int i = 0; i < 30; i++) {
            clients.forEach(one -> one.acquire("s" + NAMES.incrementAndGet()).release());
        }
        assertThat(scripts(former)).isEqualTo(before);
    }

    /** Scripts that the clients sent; the master's traffic to its replicas does not count. */
    private static long scripts(RedisServer server) {
        return String.valueOf(server.command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void fa8_a_lease_of_which_the_new_master_knows_nothing_is_lost_at_once_and_the_next_token_is_larger() {
        RedisServer replica = replica();
        replica.command("CONFIG", "SET", "replica-read-only", "no");
        replica.command("FLUSHALL");
        replica.command("CONFIG", "SET", "replica-read-only", "yes");
        replica.command("CLUSTER", "FAILOVER");
        for (Client one : clients) {
            // A client learns of a failover by its next call to the former master.
            one.acquire(one.next).release();
            await().atMost(PATIENCE).until(() -> one.lease.state() == LeaseState.LOST);
            assertThat(one.states).startsWith(LeaseState.SUSPECT);
            assertThat(one.statesElsewhere).isEmpty();
            Lease next = one.acquire(one.lease.name());
            assertThat(next.fencingToken()).isGreaterThan(one.lease.fencingToken());
            next.release();
        }
    }
}
