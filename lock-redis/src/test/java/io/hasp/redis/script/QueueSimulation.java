package io.hasp.redis.script;

import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * The scripts on a real server under virtual time: simulated clients with polls, messages and renewals, and a network between. One thread
 * and one seed, so that a seed repeats it. It shows what {@link SharedModelRun}, where time stands still, can't: how long waiters
 * count as alive, how often they ask, and whom the server calls. All times are in microseconds.
 */
final class QueueSimulation implements AutoCloseable {
    static final String LOCK = "hasp:{orders/42}";
    static final long MS = 1_000;
    static final long SECOND = 1_000 * MS;
    /** A command that gets no answer for so long has failed. */
    static final long COMMAND_TIMEOUT = 2 * SECOND;

    private static final long BEGIN = 1_700_000_000 * SECOND;
    private static final int REMEMBERED = 150;

    final VirtualRedis redis;
    final FaultMix faults;
    final SplittableRandom choices;
    final QueueChecks checks = new QueueChecks(this);
    final List<SimulatedClient> clients = new ArrayList<>();
    /** Those who still ask, wait or hold. */
    final Set<SimulatedHolder> holders = new LinkedHashSet<>();

    private final Map<String, SimulatedHolder> named = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    private final Deque<String> log = new ArrayDeque<>();
    private long now = BEGIN;
    private long numbered;

    QueueSimulation(RedisServer server, Function<LockScript, String> texts, FaultMix faults, long seed)
            throws IOException {
        redis = new VirtualRedis(server, texts);
        this.faults = faults;
        choices = new SplittableRandom(seed);
    }

    private record Event(long time, long number, Runnable step) {}

    long now() {
        return now;
    }

    /** The time since the beginning, in seconds. */
    String time() {
        return Double.toString((now - BEGIN) / 1e6);
    }

    void after(long delay, Runnable step) {
        events.add(new Event(now + delay, numbered++, step));
    }

    /** Lets time pass. */
    void pass(long duration) {
        long end = now + duration;
        while (true) {
            Event next = events.peek();
            if (next == null || next.time() > end) {
                break;
            }
            events.remove();
            now = Math.max(now + 1, next.time());
            next.step().run();
        }
        now = Math.max(now, end);
    }

    boolean happens(double probability) {
        return probability > 0 && choices.nextDouble() < probability;
    }

    long latency() {
        return happens(faults.slowRequests()) ? choices.nextLong(50 * MS, 900 * MS) : choices.nextLong(80, 1_500);
    }

    void add(SimulatedHolder holder) {
        holders.add(holder);
        named.put(holder.id, holder);
    }

    /** Holder ids are not used twice, so one who is over may still be named. */
    SimulatedHolder holder(String id) {
        SimulatedHolder holder = named.get(id);
        if (holder == null) {
            throw new AssertionError("the server names the holder " + id + ", which nobody asked for");
        }
        return holder;
    }

    /** A request has arrived at the server. Returns the reply, which begins with an exclamation mark if it is an error. */
    String serve(LockScript script, List<String> keys, List<String> arguments) {
        VirtualRedis.Answer answer = redis.run(now, script, keys, arguments);
        log(script + " " + arguments + ": " + answer.reply());
        checks.stored(answer.stored());
        for (VirtualRedis.Message message : answer.messages()) {
            log("publishes " + message.text());
            clients.stream()
                    .filter(client -> client.channel.equals(message.channel()))
                    .forEach(client -> client.send(message.text()));
        }
        return answer.reply();
    }

    void log(String event) {
        if (log.size() == REMEMBERED) {
            log.removeFirst();
        }
        log.add(time() + " " + event);
    }

    String last() {
        return String.join("\n", log);
    }

    @Override
    public void close() {
        redis.close();
    }
}
