package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters that died in the queues of the nodes, and nodes on which no waiter can be woken. */
class RedlockDeadWaitersTest {
    private static final int DEAD = 10_000;

    private final RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity());
    private final TestClient holder = world.client();
    private final TestClient waiter = world.client();

    @AfterEach
    void close() {
        world.close();
    }

    /** As after the crash of a process with many waiters: their entries are valid still, and no client listens. */
    private void leaveTheDead() {
        for (RedisServer node : world.nodes.nodes()) {
            node.command(
                    "EVAL",
                    "for i = 1, " + DEAD + " do redis.call('ZADD', KEYS[1], i, 'dead' .. i)"
                            + " redis.call('HSET', KEYS[2], 'dead' .. i, '9999999999999|hasp:c:dead|meta') end",
                    "2",
                    KEY + ":q",
                    KEY + ":w");
        }
    }

    private long dead(RedisServer node) {
        return (Long) Objects.requireNonNull(node.command("ZCARD", KEY + ":q"));
    }

    /** The node serves no other client during a script. */
    @Test
    void one_script_drops_about_a_hundred_dead_waiters() throws IOException {
        holder.granted("a");
        leaveTheDead();
        RedisServer node = world.node(0);
        await().until(() -> Long.valueOf(1).equals(node.command("EXISTS", KEY)));
        try (RespConnection connection = node.connect()) {
            assertThat(run(connection, RedlockScripts.standard().release().text(), "a", "0", "0"))
                    .isEqualTo("RELEASED+");
            assertThat(dead(node)).isBetween(DEAD - 110L, DEAD - 100L);
            assertThat(run(connection, RedlockScripts.standard().grant().text(), "w", "30000", "1", "", "meta"))
                    .matches("BUSY\\|\\|1\\|\\d+");
            assertThat(dead(node)).isBetween(DEAD - 220L, DEAD - 200L);
            assertThat(run(connection, RedlockScripts.standard().grant().text(), "t", "30000", "0", "", "meta"))
                    .startsWith("BUSY|w|");
        }
    }

    private static String run(RespConnection node, String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("EVAL", script, "5"));
        command.addAll(LockKeys.of(KEY, arguments[0]));
        command.addAll(List.of(arguments));
        return String.valueOf(node.text(command.toArray(String[]::new)));
    }

    @Test
    void a_release_serves_a_waiter_behind_thousands_of_dead_ones() throws Exception {
        holder.granted("a");
        leaveTheDead();
        assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
        assertThat(holder.release("a")).isEqualTo(Released.RELEASED);
        assertThat(waiter.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("w MAYBE_FREE");
        await().until(() -> waiter.acquire("w") instanceof Attempt.Granted);
    }

    /** As after the lease of a holder that died with its waiters. */
    @Test
    void a_waiter_that_meets_a_free_lock_behind_thousands_of_dead_ones_soon_has_it() {
        leaveTheDead();
        int attempts = 1;
        for (Attempt attempt = waiter.acquire("w"); attempt instanceof Attempt.Busy busy; attempts++) {
            assertThat(busy.pollAfter()).hasMillis(1);
            attempt = waiter.acquire("w");
        }
        // A node that is late with its answer is left out of some of them.
        assertThat(attempts).isLessThanOrEqualTo(2 * DEAD / 100);
    }

    @Test
    void a_try_has_a_free_lock_however_many_dead_waiters_there_are() {
        leaveTheDead();
        assertThat(waiter.tryAcquire("w")).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void a_release_serves_the_first_waiter_also_where_it_may_not_publish_or_count_listeners() {
        holder.granted("a");
        assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
        world.nodes.nodes().forEach(node -> node.command("ACL", "SETUSER", "default", "-publish", "-pubsub"));
        assertThat(holder.release("a")).isEqualTo(Released.RELEASED);
        waiter.granted("w");
        assertThat(waiter.release("w")).isEqualTo(Released.RELEASED);
    }
}
