package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.Attempt;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two of five nodes answer later than the others, and cost little. */
class RedlockSlowNodesTest {
    private static final Duration PATIENT = Duration.ofSeconds(5);
    private static final List<Integer> FAST = List.of(0, 2, 4);
    private static final List<Integer> SLOW = List.of(1, 3);
    private static final int REFUSALS = 10;

    private static final Duration ONE_WAY = Duration.ofMillis(100);

    private final RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity());

    @AfterEach
    void close() {
        world.close();
    }

    private TestClient client() {
        TestClient client = world.behindProxies(PATIENT);
        client.granted("warm-up");
        client.release("warm-up");
        await().until(() -> world.held() == 0);
        return client;
    }

    private void slow(TrafficPolicy requests) {
        SLOW.forEach(node -> world.proxies.get(node).set(Direction.REQUESTS, requests));
    }

    private void heldByAnother(int node) {
        world.node(node).command("SET", KEY, "R1|other|H|meta", "PX", "60000");
    }

    private long scripts(int node) {
        String stats = String.valueOf(world.node(node).command("INFO", "commandstats"));
        return stats.contains("cmdstat_evalsha")
                ? Long.parseLong(stats.replaceAll("(?s).*cmdstat_evalsha:calls=(\\d+),.*", "$1"))
                : 0;
    }

    /** A slow node owes a reply for each script, so the number of scripts counts. */
    @Test
    void a_refusal_is_one_script_on_each_node_and_one_more_where_it_may_be_late() {
        TestClient client = client();
        world.client().granted("holder");
        await().until(() -> world.held() == 5);
        slow(TrafficPolicy.HOLD);
        world.nodes.nodes().forEach(node -> node.command("CONFIG", "RESETSTAT"));
        for (int i = 0; i < REFUSALS; i++) {
            assertThat(client.tryAcquire("h" + i)).isInstanceOf(Attempt.Busy.class);
        }
        assertThat(FAST).allSatisfy(node -> assertThat(scripts(node)).isEqualTo(REFUSALS));
        slow(TrafficPolicy.PASS);
        await().untilAsserted(() ->
                assertThat(SLOW).allSatisfy(node -> assertThat(scripts(node)).isEqualTo(2 * REFUSALS)));
        assertThat(world.held()).isEqualTo(5);
    }

    @Test
    void a_waiter_does_not_wait_for_slow_nodes_where_the_fast_ones_disagree() {
        TestClient client = client();
        heldByAnother(0);
        slow(TrafficPolicy.HOLD);
        long start = System.nanoTime();
        assertThat(client.acquire("a")).isInstanceOf(Attempt.Busy.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENT.dividedBy(2));
        for (int node : List.of(2, 4)) {
            assertThat(world.node(node).command("GET", KEY)).asString().startsWith("R1|a|C|");
        }
        slow(TrafficPolicy.PASS);
        await().untilAsserted(() -> assertThat(client.acquire("a")).isInstanceOf(Attempt.Granted.class));
    }

    /** Without them there is no majority. To a client that does not wait, "busy" means that another client has the lock. */
    @Test
    void votes_of_slow_nodes_that_are_needed_are_awaited() throws InterruptedException {
        TestClient client = client();
        heldByAnother(0);
        SLOW.forEach(node -> world.proxies.get(node).set(TrafficPolicy.delayed(ONE_WAY)));
        assertThat(client.tryAcquire("a")).isInstanceOf(Attempt.Granted.class);
        client.release("a");
        try (LockClient waiting = LockClient.connect(uri())) {
            assertThat(waiting.lock(TestClient.NAME.value()).tryAcquire(PATIENT))
                    .isPresent();
        }
    }

    @Test
    void a_node_that_a_waiter_gives_up_goes_to_the_first_of_the_queue() throws IOException {
        RedlockScripts scripts = world.redlock().scripts();
        try (RespConnection node = world.node(0).connect()) {
            assertThat(request(node, scripts, "late")).startsWith("GRANTED");
            String refusal = request(node, scripts, "first");
            assertThat(refusal).startsWith("BUSY|late|");
            long first = Long.parseLong(refusal.substring(refusal.lastIndexOf('|') + 1));

            assertThat(giveUp(node, scripts, "late", first + 1)).isEqualTo("RELEASED");
            assertThat(node.text("GET", KEY)).startsWith("R1|first|C|");

            assertThat(request(node, scripts, "first")).startsWith("GRANTED");
            assertThat(giveUp(node, scripts, "first", first)).isEqualTo("KEPT");
            assertThat(node.text("GET", KEY)).startsWith("R1|first|C|");

            assertThat(run(node, scripts.release(), "first", "0", "0")).isEqualTo("RELEASED");
            assertThat(node.text("GET", KEY)).startsWith("R1|late|C|");
        }
    }

    private static String request(RespConnection node, RedlockScripts scripts, String holder) throws IOException {
        return run(node, scripts.grant(), holder, "30000", "1", "", "meta");
    }

    private static String giveUp(RespConnection node, RedlockScripts scripts, String holder, long ticket)
            throws IOException {
        return run(node, scripts.release(), holder, "0", "1", Long.toString(ticket), "", "meta");
    }

    private static String run(RespConnection node, LuaScript script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("EVAL", script.text(), "5"));
        command.addAll(LockKeys.of(KEY, arguments[0]));
        command.addAll(List.of(arguments));
        return String.valueOf(node.text(command.toArray(String[]::new)));
    }

    @Test
    void votes_that_another_waiter_passes_on_make_a_majority_of_the_fast_nodes() throws Exception {
        TestClient client = client();
        slow(TrafficPolicy.HOLD);
        RedlockScripts scripts = world.redlock().scripts();
        try (RespConnection node = world.node(0).connect()) {
            assertThat(request(node, scripts, "later")).startsWith("GRANTED");
            assertThat(client.acquire("a")).isInstanceOf(Attempt.Busy.class);
            assertThat(giveUp(node, scripts, "later", Long.MAX_VALUE)).isEqualTo("RELEASED");
        }
        assertThat(client.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("a MAYBE_FREE");
        assertThat(client.acquire("a")).isInstanceOf(Attempt.Granted.class);
    }

    private String uri() {
        return RedlockServers.uri(world.proxies.stream().map(FaultProxy::port).toList())
                .replaceFirst("nodeTimeout=.*", "nodeTimeout=" + PATIENT);
    }
}
