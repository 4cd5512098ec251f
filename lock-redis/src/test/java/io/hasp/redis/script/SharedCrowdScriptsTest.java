package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two thousand waiters of one shared lock: how often they ask, and what those cost who have stopped far from the front. */
class SharedCrowdScriptsTest extends ScriptFixture {
    private static final int CROWD = 2_000;
    private static final int NEAR = 16;
    private static final long POLL = 500;
    private static final long LONGEST = 5_000;
    private static final long CLAIM = 1_250;
    private static final int ALL = Share.READ_WRITE;
    private static final String CHANNEL = "hasp:c:crowd";

    private final Map<String, Long> tickets = new HashMap<>();
    private SharedClient files;
    private RespConnection listener;

    @BeforeEach
    void hold() throws IOException {
        files = new SharedClient(lua, ALL);
        files.granted("reader", 1);
        listener = server.connect();
        listener.send("SUBSCRIBE", CHANNEL);
        listener.receive();
    }

    @AfterEach
    void stopListening() {
        listener.close();
    }

    private long asks(String holder) throws IOException {
        return asks(holder, ALL, CHANNEL);
    }

    /** Asks as a client does: with its ticket, if it has one. Returns the milliseconds until the next poll. */
    private long asks(String holder, int weight, String channel) throws IOException {
        Long ticket = tickets.get(holder);
        String[] reply = files.take(holder, weight, LEASE, true, channel, ticket == null ? "" : ticket.toString())
                .split("\\|");
        assertThat(reply[0]).isEqualTo("BUSY");
        tickets.put(holder, Long.valueOf(reply[1]));
        return Long.parseLong(reply[2]);
    }

    private List<Long> allAsk(int crowd) throws IOException {
        List<Long> polls = new ArrayList<>();
        for (int i = 0; i < crowd; i++) {
            polls.add(asks("w" + i));
        }
        return polls;
    }

    /** For how many milliseconds it still counts as alive; none if it is gone, which a slow machine may find. */
    private long alive(String holder) throws IOException {
        String entry = String.valueOf(lua.command("HGET", WAITERS, holder));
        return !entry.contains("|") ? 0 : Long.parseLong(entry.substring(0, entry.indexOf('|'))) - lua.micros() / 1000;
    }

    private String message() throws IOException {
        return String.valueOf(((List<?>) Objects.requireNonNull(listener.receive())).get(2));
    }

    @Test
    void two_thousand_waiters_ask_less_than_500_times_a_second_and_the_first_sixteen_as_ever() throws IOException {
        allAsk(CROWD);
        long begin = lua.micros() / 1000;
        List<Long> again = allAsk(CROWD);
        assertThat(again).isSorted();
        assertThat(again.subList(0, NEAR)).containsOnly(POLL);
        assertThat(again.get(NEAR)).isEqualTo(2 * POLL);
        assertThat(again.get(CROWD - 1)).isEqualTo(LONGEST);
        assertThat(again.stream().mapToDouble(ms -> 1000.0 / ms).sum())
                .as("polls a second")
                .isLessThan(500);
        for (int i : List.of(0, NEAR, 100, CROWD - 1)) {
            long alive = alive("w" + i);
            long passed = lua.micros() / 1000 - begin;
            assertThat(alive).as("life of waiter %s", i).isBetween(2 * again.get(i) - passed, 4 * again.get(i));
        }
        assertThat(lua.ttl(QUEUE)).isGreaterThan(4 * LONGEST);
        assertThat(lua.ttl(WAITERS)).isGreaterThan(4 * LONGEST);
    }

    @Test
    void the_lock_is_kept_for_as_long_as_those_far_behind_wait() throws IOException {
        files.end("reader");
        files.granted("brief", 1);
        allAsk(100);
        allAsk(100);
        files.end("brief");
        lua.command("PEXPIRE", LOCK, "1000");
        assertThat(files.stored().till()).isGreaterThan(lua.micros() / 1000 + 2 * LONGEST);
    }

    @Test
    void a_waiter_that_no_message_wakes_asks_often_wherever_it_stands() throws IOException {
        allAsk(200);
        assertThat(asks("deaf", ALL, "")).isEqualTo(POLL);
        assertThat(asks("deaf", ALL, "")).isEqualTo(POLL);
        assertThat(alive("deaf")).isBetween(2 * POLL, 4 * POLL);
        assertThat(asks("deaf")).as("it is subscribed again").isEqualTo(LONGEST);
    }

    /** A waiter that keeps others out has a claim's time to answer. The waiters behind it are called as well, so that they notice. */
    @Test
    void a_waiter_from_far_behind_that_does_not_fit_is_called_and_so_are_those_behind_it() throws IOException {
        comesForward();
        for (int i = 0; i < NEAR; i++) {
            String called = "w" + (NEAR - 1 + i);
            if (i > 0) {
                assertThat(message()).isEqualTo(called + "|0|1250|" + LOCK);
                assertThat(alive(called)).isBetween(0L, CLAIM);
            }
        }
        assertThat(alive("w" + (2 * NEAR - 1))).as("the next one").isGreaterThan(2 * POLL);
        assertThat(asks("w" + NEAR)).isEqualTo(POLL);
        assertThat(alive("w" + NEAR)).isBetween(CLAIM, 4 * POLL);
    }

    /** Eight writers leave from the front, while a reader holds the lock; the next has asked when it was far behind. */
    private void comesForward() throws IOException {
        allAsk(3 * NEAR);
        allAsk(3 * NEAR);
        asks("last", 1, CHANNEL);
        for (int i = 0; i < NEAR - 1; i++) {
            files.release("w" + i);
        }
    }

    @Test
    void a_waiter_is_called_once() throws IOException {
        comesForward();
        for (int i = 1; i < NEAR; i++) {
            message();
        }
        asks("w" + (NEAR - 1));
        assertThat(files.tryOnce("passer-by", 1)).startsWith("BUSY");
        lua.command("PUBLISH", CHANNEL, "end");
        assertThat(message()).isEqualTo("end");
    }

    /** A stopped process: its connection is open. */
    @Test
    void a_waiter_that_stopped_far_behind_costs_those_behind_it_one_claim() throws IOException {
        allAsk(2 * NEAR);
        allAsk(2 * NEAR);
        asks("last", 1, CHANNEL);
        asks("last", 1, CHANNEL);
        for (int i = 0; i < 2 * NEAR - 1; i++) {
            files.release("w" + i);
        }
        String stopped = "w" + (2 * NEAR - 1);
        assertThat(lua.queue()).isEqualTo(List.of(stopped, "last"));
        assertThat(alive(stopped)).isBetween(0L, CLAIM);
        assertThat(asks("last", 1, CHANNEL)).isEqualTo(POLL);
        files.silence(stopped);
        assertThat(files.take("last", 1, LEASE, true, CHANNEL, String.valueOf(tickets.get("last"))))
                .startsWith("GRANTED");
    }

    /** The call was lost, and others have passed it. */
    @Test
    void a_waiter_that_was_passed_is_first_again_when_it_asks() throws IOException {
        comesForward();
        files.silence("w" + (NEAR - 1));
        files.release("w" + NEAR);
        assertThat(lua.queue().get(0)).isEqualTo("w" + (NEAR + 1));
        asks("w" + (NEAR - 1));
        assertThat(lua.queue().get(0)).isEqualTo("w" + (NEAR - 1));
    }

    /** The exclusive lock gets the message of a grant, and no call. */
    @Test
    void a_waiter_from_far_behind_that_fits_is_granted_its_share() throws IOException {
        files.release("reader");
        files.granted("writer", ALL);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2 * NEAR; i++) {
                asks("r" + i, 1, CHANNEL);
            }
        }
        files.release("writer");
        for (int i = 0; i < 2 * NEAR; i++) {
            assertThat(message()).startsWith("r" + i + "|" + files.held("r" + i).token() + "|");
        }
    }

    @Test
    void a_server_out_of_memory_still_says_busy_where_it_cannot_call() throws IOException {
        comesForward();
        for (int i = 1; i < NEAR; i++) {
            message();
        }
        for (int i = NEAR - 1; i < 2 * NEAR - 1; i++) {
            files.release("w" + i, false);
            if (i == 2 * NEAR - 3) {
                lua.command("CONFIG", "SET", "maxmemory", "1");
            }
        }
        assertThat(files.tryOnce("passer-by", 1)).startsWith("BUSY");
        lua.command("CONFIG", "SET", "maxmemory", "0");
    }
}
