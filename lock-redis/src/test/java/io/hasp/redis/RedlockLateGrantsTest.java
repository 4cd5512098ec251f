package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that grant the lock to an attempt that a majority has refused already. */
class RedlockLateGrantsTest {
    private static final Duration PATIENT = Duration.ofSeconds(5);
    private static final List<Integer> SLOW = List.of(3, 4);

    private final RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity());
    private TestClient client;

    @BeforeEach
    void connect() {
        client = world.behindProxies(PATIENT);
        client.granted("warm-up");
        client.release("warm-up");
        await().until(() -> world.held() == 0);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void heldByOthers(String key, int... nodes) {
        for (int node : nodes) {
            world.node(node).command("SET", key, "R1|other|H|meta", "PX", "60000");
        }
    }

    private List<ProxiedConnection> holdConnections() {
        List<ProxiedConnection> held = new ArrayList<>();
        for (int node : SLOW) {
            FaultProxy proxy = world.proxies.get(node);
            held.addAll(proxy.connections());
        }
        held.forEach(connection -> connection.set(Direction.REQUESTS, TrafficPolicy.HOLD));
        return held;
    }

    @Test
    void a_renewal_that_comes_after_the_release_takes_no_free_lock() {
        Grant grant = client.granted("a");
        client.release("a");
        assertThat(client.renew(grant)).isInstanceOf(Renewal.Lost.class);
        assertThat(world.held()).isZero();
    }

    @Test
    void a_renewal_beside_the_release_leaves_no_holder_behind() {
        for (int round = 0; round < 200; round++) {
            String holder = "a-" + round;
            Grant grant = client.granted(holder);
            CompletableFuture<Renewal> renewal = CompletableFuture.supplyAsync(() -> client.renew(grant));
            CompletableFuture<Released> release = CompletableFuture.supplyAsync(() -> client.release(holder));
            CompletableFuture.allOf(renewal, release).join();
            await("round " + round).until(() -> world.held() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fa5_a_grant_of_a_slow_node_to_a_refused_attempt_is_given_back(boolean queue) {
        heldByOthers(KEY, 0, 1, 2);
        SLOW.forEach(node -> world.node(node).command("CONFIG", "RESETSTAT"));
        List<ProxiedConnection> held = holdConnections();
        assertThat(client.acquire(TestClient.claim("a", TestClient.LEASE, queue)))
                .isInstanceOf(Attempt.Busy.class);
        held.forEach(connection -> connection.set(Direction.REQUESTS, TrafficPolicy.PASS));
        await().until(() -> SLOW.stream().allMatch(node -> commands(node).contains("cmdstat_del:calls=1")));
        assertThat(world.held()).isEqualTo(3);
    }

    private String commands(int node) {
        return String.valueOf(world.node(node).command("INFO", "commandstats"));
    }

    /** The next attempt uses other sockets, on which it overtakes the release of the one before. */
    @Test
    void me1_a_node_that_may_still_give_the_lock_back_counts_for_no_later_attempt() throws Exception {
        heldByOthers(KEY, 0, 1, 2);
        heldByOthers("hasp:{other}", 2);
        List<ProxiedConnection> held = holdConnections();
        assertThat(client.acquire("a")).isInstanceOf(Attempt.Busy.class);
        world.node(0).command("DEL", KEY);
        world.node(1).command("DEL", KEY);

        CompletableFuture<Attempt> keepsTheSocketsBusy = CompletableFuture.supplyAsync(() ->
                client.acquire(Claim.renewedLease(new LockName("other"), new HolderId("o"), TestClient.LEASE, true)));
        await().until(() -> Long.valueOf(1).equals(world.node(1).command("EXISTS", "hasp:{other}")));
        Attempt second = client.acquire("a");
        held.forEach(connection -> connection.set(Direction.REQUESTS, TrafficPolicy.PASS));
        keepsTheSocketsBusy.join();
        await().until(() -> SLOW.stream()
                .allMatch(node -> Long.valueOf(1).equals(world.node(node).command("EXISTS", "hasp:{other}"))));

        assertThat(second).isInstanceOf(Attempt.Busy.class);
        world.node(2).command("DEL", KEY);
        await().untilAsserted(() -> {
            Grant grant = client.granted("a");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(world.held()).isEqualTo(5);
        });
    }

    /** A refusal may be due to what this client gave up. Then the engine asks again for a holder that does not wait. */
    @Test
    void me1_a_node_that_may_still_give_the_lock_back_counts_for_no_later_try() throws Exception {
        heldByOthers(KEY, 0, 1, 2);
        heldByOthers("hasp:{other}", 2);
        List<ProxiedConnection> held = holdConnections();
        assertThat(client.tryAcquire("a")).isInstanceOf(Attempt.Busy.class);
        world.node(0).command("DEL", KEY);

        CompletableFuture<Attempt> keepsTheSocketsBusy = CompletableFuture.supplyAsync(() ->
                client.acquire(Claim.renewedLease(new LockName("other"), new HolderId("o"), TestClient.LEASE, false)));
        await().until(() -> Long.valueOf(1).equals(world.node(1).command("EXISTS", "hasp:{other}")));
        Attempt second = client.tryAcquire("a");
        held.forEach(connection -> connection.set(Direction.REQUESTS, TrafficPolicy.PASS));
        keepsTheSocketsBusy.join();
        await().until(() -> SLOW.stream()
                .allMatch(node -> Long.valueOf(1).equals(world.node(node).command("EXISTS", "hasp:{other}"))));

        assertThat(second).isInstanceOf(Attempt.Gone.class);
        assertThat(client.tryAcquire("a")).isInstanceOf(Attempt.Gone.class);
        assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Granted.class);
        assertThat(world.held()).isEqualTo(5);
    }
}
