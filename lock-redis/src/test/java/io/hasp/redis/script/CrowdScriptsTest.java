package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two thousand waiters of one exclusive lock: how often they ask, how long they count as alive, and what the dead among them cost. */
@InTier(Tier.STANDARD)
class CrowdScriptsTest extends ScriptFixture {
    private static final int CROWD = 2_000;
    private static final int NEAR = 16;
    private static final long POLL = 500;
    private static final long LONGEST = 5_000;
    private static final String CHANNEL = "hasp:c:crowd";

    private final Map<String, Long> tickets = new HashMap<>();
    private RespConnection listener;

    @BeforeEach
    void hold() throws IOException {
        lua.granted("owner");
        listener = server.connect();
        listener.send("SUBSCRIBE", CHANNEL);
        listener.receive();
    }

    @AfterEach
    void stopListening() {
        listener.close();
    }

    private long asks(String holder) throws IOException {
        return asks(holder, CHANNEL);
    }

    /** Asks as a client does: with its ticket, if it has one. Returns the milliseconds until the next poll. */
    private long asks(String holder, String channel) throws IOException {
        Long ticket = tickets.get(holder);
        String[] reply = lua.take(holder, ScriptClient.LEASE, true, channel, ticket == null ? "" : ticket.toString())
                .split("\\|");
        assertThat(reply[0]).isEqualTo("BUSY");
        tickets.put(holder, Long.valueOf(reply[1]));
        return Long.parseLong(reply[2]);
    }

    private List<Long> allAsk() throws IOException {
        List<Long> polls = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            polls.add(asks("w" + i));
        }
        return polls;
    }

    @Test
    void two_thousand_waiters_ask_less_than_500_times_a_second_and_the_first_sixteen_as_ever() throws IOException {
        List<Long> entering = allAsk();
        List<Long> again = allAsk();
        assertThat(again).isEqualTo(entering).isSorted();
        assertThat(again.subList(0, NEAR)).containsOnly(POLL);
        assertThat(again.get(NEAR)).isEqualTo(2 * POLL);
        assertThat(again.get(CROWD - 1)).isEqualTo(LONGEST);
        assertThat(again.stream().mapToDouble(ms -> 1000.0 / ms).sum())
                .as("polls a second")
                .isLessThan(500);
    }

    @Test
    void a_waiter_that_has_come_forward_asks_often_again() throws IOException {
        allAsk();
        String last = "w" + (CROWD - 1);
        for (int i = 0; i < CROWD - 1; i++) {
            lua.release("w" + i);
        }
        assertThat(asks(last)).isEqualTo(POLL);
        assertThat(alive(last)).isBetween(3 * POLL, 4 * POLL);
    }

    /** Its client has no subscription, so it finds its grant by a poll only. A claim is shorter than the rare polls. */
    @Test
    void a_waiter_that_no_message_wakes_asks_often_wherever_it_stands() throws IOException {
        for (int i = 0; i < 200; i++) {
            asks("w" + i);
        }
        assertThat(asks("deaf", "")).isEqualTo(POLL);
        assertThat(asks("deaf", "")).isEqualTo(POLL);
        assertThat(alive("deaf")).isBetween(3 * POLL, 4 * POLL);
        assertThat(asks("deaf")).as("it is subscribed again").isEqualTo(LONGEST);
    }

    /** The clients of a Redlock have polls of their own, which are not rarer behind the first. */
    @Test
    void a_waiter_of_a_redlock_counts_as_alive_for_three_of_its_polls() throws IOException {
        String grant = LuaScript.load("redlock/grant.lua").text();
        lua.clear();
        for (int i = 0; i < 100; i++) {
            String holder = "r" + i;
            List<String> command = new ArrayList<>(List.of("EVAL", grant, "5"));
            command.addAll(ScriptClient.keys(LOCK, holder));
            command.addAll(List.of(holder, "30000", "1", CHANNEL, "meta"));
            lua.text(command.toArray(String[]::new));
        }
        assertThat(alive("r99")).isBetween(3 * POLL, 4 * POLL);
    }

    /** For how many milliseconds it still counts as alive. */
    private long alive(String holder) throws IOException {
        String entry = String.valueOf(lua.command("HGET", WAITERS, holder));
        return Long.parseLong(entry.substring(0, entry.indexOf('|'))) - lua.micros() / 1000;
    }

    @Test
    void each_waiter_counts_as_alive_for_three_polls_and_the_keys_live_longer() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            long poll = asks("w" + i);
            if (i % 50 == 0 || i < 2 * NEAR) {
                assertThat(alive("w" + i)).as("life of waiter %s", i).isBetween(3 * poll, 4 * poll);
                assertThat(lua.ttl(QUEUE)).isGreaterThan(alive("w" + i));
                assertThat(lua.ttl(WAITERS)).isGreaterThan(alive("w" + i));
            }
        }
        // Those in front leave: the keys must still be there when the last ones ask next.
        for (int i = 0; i < CROWD - NEAR; i++) {
            lua.release("w" + i);
        }
        assertThat(lua.ttl(QUEUE)).isGreaterThan(2 * LONGEST);
        assertThat(lua.ttl(WAITERS)).isGreaterThan(2 * LONGEST);
    }

    /** It counts as alive for seventeen seconds, but has the lock for no longer than any other that does not answer. */
    @Test
    void a_dead_waiter_from_far_behind_costs_one_claim() throws IOException {
        allAsk();
        for (int i = 0; i < CROWD - 2; i++) {
            lua.release("w" + i);
        }
        assertThat(lua.release("owner")).isEqualTo("RELEASED");
        assertThat(String.valueOf(lua.command("GET", LOCK))).startsWith("1|w" + (CROWD - 2) + "|C|");
        assertThat(lua.ttl(LOCK)).isBetween(1_000L, 1_250L);
        assertThat(lua.queue()).isEqualTo(List.of("w" + (CROWD - 1)));
        assertThat(asks("w" + (CROWD - 1))).as("the next poll of the next one").isLessThanOrEqualTo(POLL);
    }

    /** Its wake-up was lost while it did not ask: it is first again when it does. */
    @Test
    void a_waiter_that_missed_its_turn_is_first_again() throws IOException {
        for (String holder : List.of("a", "b", "c")) {
            asks(holder);
        }
        lua.release("owner");
        lua.command("DEL", LOCK); // The claim of a is over.
        assertThat(lua.take("late", ScriptClient.LEASE, true, CHANNEL, "")).startsWith("BUSY");
        assertThat(String.valueOf(lua.command("GET", LOCK))).startsWith("1|b|C|");
        asks("a");
        assertThat(lua.queue()).isEqualTo(List.of("a", "c", "late"));
    }
}
