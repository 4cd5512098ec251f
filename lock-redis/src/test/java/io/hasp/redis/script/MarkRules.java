package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Rules of a lock that its client may keep: it has a mark, and a refused request makes the server recall it. Each
 * rule begins with an empty server.
 */
final class MarkRules implements AutoCloseable {
    private static final String CHANNEL = "hasp:c:keeper";
    private static final String OTHER_CHANNEL = "hasp:c:other";
    private static final String MARK = "^" + CHANNEL + "^";
    private static final String LABEL = "1@host";
    private static final String RECALL_OF_A = "R|a|" + LOCK;

    private final ScriptClient lua;
    private final RespConnection listener;

    MarkRules(RedisServer server, Function<LockScript, String> texts) throws IOException {
        lua = new ScriptClient(server, texts);
        listener = server.connect();
        listener.command("SUBSCRIBE", CHANNEL);
        listener.command("SUBSCRIBE", OTHER_CHANNEL);
    }

    @Override
    public void close() {
        listener.close();
        lua.close();
    }

    /** The messages to clients since the last call, in order. */
    private List<String> told() throws IOException {
        lua.command("PUBLISH", CHANNEL, "all");
        List<String> messages = new ArrayList<>();
        while (true) {
            String message = (String) ((List<?>) Objects.requireNonNull(listener.receive())).get(2);
            if (message.equals("all")) {
                return messages;
            }
            messages.add(message);
        }
    }

    private String asks(String holder, boolean queue, String channel, String label) throws IOException {
        return asks(LockScript.ACQUIRE, holder, queue, channel, label);
    }

    private String asks(LockScript script, String holder, boolean queue, String channel, String label, String... more)
            throws IOException {
        List<String> request =
                new ArrayList<>(List.of(holder, Long.toString(LEASE), queue ? "1" : "0", channel, label));
        request.addAll(List.of(more));
        return lua.run(script, ScriptClient.keys(LOCK, holder), request);
    }

    private String keeperAsks(String holder) throws IOException {
        return asks(holder, true, CHANNEL, MARK + LABEL);
    }

    private String othersAsk(String holder) throws IOException {
        return asks(holder, true, OTHER_CHANNEL, LABEL);
    }

    private String lockLabel() throws IOException {
        return Objects.requireNonNull(lua.value()).split("\\|", 5)[4];
    }

    private String renews(String holder, String lease) throws IOException {
        return lua.run(LockScript.RENEW, ScriptClient.keys(LOCK, holder).subList(0, 2), List.of(holder, lease));
    }

    void a_lock_that_nobody_else_wants_has_the_mark() throws IOException {
        assertThat(keeperAsks("a")).matches("GRANTED\\|\\d+");
        assertThat(lockLabel()).isEqualTo(MARK + LABEL);
    }

    void whoever_is_refused_recalls_each_time() throws IOException {
        keeperAsks("a");
        assertThat(asks("b", false, "", LABEL)).isEqualTo("BUSY||1||^");
        assertThat(told()).as("a recall of a refused try").containsExactly(RECALL_OF_A);
        for (int i = 0; i < 3; i++) {
            assertThat(othersAsk("b")).matches("BUSY\\|\\d+\\|\\d+\\|\\d+\\|\\^");
            assertThat(told()).as("a recall at each poll").containsExactly(RECALL_OF_A);
        }
    }

    void a_lock_without_a_mark_is_not_recalled() throws IOException {
        asks("a", true, CHANNEL, LABEL);
        assertThat(asks("b", false, "", LABEL)).isEqualTo("BUSY||500");
        assertThat(othersAsk("b")).matches("BUSY\\|\\d+\\|\\d+\\|\\d+");
        assertThat(told()).isEmpty();
    }

    void a_keeper_that_nobody_hears_is_in_use() throws IOException {
        asks("a", true, "hasp:c:gone", "^hasp:c:gone^" + LABEL);
        assertThat(asks("b", false, "", LABEL)).as("a try").isEqualTo("BUSY||500");
        assertThat(othersAsk("b")).as("a waiter").matches("BUSY\\|\\d+\\|\\d+\\|\\d+");
    }

    void a_renewal_takes_the_mark_off_and_prolongs() throws IOException {
        keeperAsks("a");
        assertThat(renews("a", 2 * LEASE + "^")).isEqualTo("1");
        assertThat(lockLabel()).as("the label of a lock that may be kept").isEqualTo(MARK + LABEL);
        assertThat(renews("a", Long.toString(3 * LEASE))).isEqualTo("1");
        assertThat(lockLabel()).as("the label of a lock that is not kept").isEqualTo(LABEL);
        assertThat(lua.ttl(LOCK)).isBetween(2 * LEASE + 1, 3 * LEASE);
        assertThat(othersAsk("b")).doesNotEndWith("^");
        assertThat(renews("a", LEASE + "^")).isEqualTo("1");
        assertThat(keeperAsks("a")).as("asked again").matches("GRANTED\\|\\d+\\|W");
        assertThat(lockLabel()).as("a mark never comes back").isEqualTo(LABEL);
        assertThat(lua.ttl(LOCK)).isGreaterThan(2 * LEASE);
    }

    void a_renewal_without_memory_takes_the_mark_off() throws IOException {
        keeperAsks("a");
        lua.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(renews("a", Long.toString(LEASE))).isEqualTo("1");
        assertThat(lockLabel()).isEqualTo(LABEL);
    }

    void a_renewal_of_another_holder_leaves_the_mark() throws IOException {
        keeperAsks("a");
        assertThat(renews("b", Long.toString(LEASE))).isEqualTo("0");
        assertThat(lockLabel()).isEqualTo(MARK + LABEL);
    }

    void a_grant_that_leaves_waiters_behind_has_no_mark_and_says_so() throws IOException {
        othersAsk("a");
        keeperAsks("b");
        othersAsk("c");
        assertThat(lua.release("a")).isEqualTo("RELEASED");
        assertThat(told()).singleElement().asString().matches("b\\|\\d+\\|1250\\|.*");
        assertThat(lockLabel()).isEqualTo(LABEL);
        assertThat(keeperAsks("b")).as("confirmed").matches("GRANTED\\|\\d+\\|W");
        assertThat(lockLabel()).isEqualTo(LABEL);
    }

    void a_grant_that_leaves_nobody_behind_has_the_mark_and_says_so() throws IOException {
        othersAsk("a");
        keeperAsks("b");
        assertThat(lua.release("a")).isEqualTo("RELEASED");
        assertThat(told()).singleElement().asString().matches("b\\|\\d+\\|1250\\^\\|.*");
        assertThat(lockLabel()).isEqualTo(MARK + LABEL);
        assertThat(keeperAsks("b")).as("confirmed").matches("GRANTED\\|\\d+");
        assertThat(lockLabel()).as("after it was confirmed").isEqualTo(MARK + LABEL);
    }

    void a_poll_that_takes_a_free_lock_says_whether_others_wait() throws IOException {
        othersAsk("a");
        keeperAsks("b");
        othersAsk("c");
        lua.command("DEL", LOCK);
        assertThat(keeperAsks("b")).matches("GRANTED\\|\\d+\\|W");
        assertThat(lockLabel()).isEqualTo(LABEL);
    }

    void what_is_told_is_so_although_the_waiter_behind_has_left() throws IOException {
        othersAsk("a");
        keeperAsks("b");
        othersAsk("c");
        lua.release("a");
        lua.release("c");
        assertThat(keeperAsks("b"))
                .as("the lock has no mark, though nobody waits")
                .matches("GRANTED\\|\\d+\\|W");
    }

    void a_transfer_that_serves_another_client_recalls_it_for_its_own() throws IOException {
        othersAsk("a");
        keeperAsks("b");
        assertThat(asks(LockScript.TRANSFER, "c", true, OTHER_CHANNEL, LABEL, "a"))
                .matches("RELEASED\\|BUSY\\|\\d+\\|\\d+\\|\\d+\\|\\^");
        List<String> messages = told();
        assertThat(messages).hasSize(2).last().isEqualTo("R|b|" + LOCK);
        assertThat(messages.get(0)).matches("b\\|\\d+\\|1250\\^\\|.*");
    }

    void a_transfer_to_a_keeper_marks_the_lock() throws IOException {
        keeperAsks("a");
        assertThat(asks(LockScript.TRANSFER, "b", true, CHANNEL, MARK + LABEL, "a"))
                .matches("RELEASED\\|GRANTED\\|\\d+");
        assertThat(lockLabel()).isEqualTo(MARK + LABEL);
    }

    void a_floor_is_raised_when_the_keeper_has_answered() throws IOException {
        long token = Long.parseLong(keeperAsks("a").split("\\|")[1]);
        String counter = lua.text("GET", ScriptClient.COUNTER);
        assertThat(lua.raise(token)).isEqualTo("KEPT");
        assertThat(told()).containsExactly(RECALL_OF_A);
        assertThat(lua.text("GET", ScriptClient.COUNTER)).isEqualTo(counter);
        assertThat(lua.raise(token - 1)).as("below what the keeper has").isEqualTo("RAISED");
        renews("a", Long.toString(LEASE));
        assertThat(lua.raise(token)).as("it is not kept any more").isEqualTo("RAISED");
    }

    void a_waiter_whose_place_cannot_be_stored_recalls_nobody() throws IOException {
        keeperAsks("a");
        lua.command("SET", WAITERS, "someone's value");
        assertThat(catchMessage(() -> othersAsk("b"))).startsWith("WRONGTYPE " + WAITERS);
        assertThat(told()).isEmpty();
        assertThat(lua.existing(QUEUE)).isZero();
    }

    private interface Call {
        String run() throws IOException;
    }

    private static String catchMessage(Call call) throws IOException {
        try {
            return call.run();
        } catch (io.hasp.conformance.servers.RespError refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
