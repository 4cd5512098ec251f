package io.hasp.redis;

import io.hasp.conformance.history.Explanation;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bounded record of exclusive locks and their queues at one server: the holder, and each waiter in its place, until when it counts as alive,
 * and whether a client listens on its channel. Thread-safe.
 */
final class QueueRecord implements Explanation {
    private static final String SCRIPT = """
            local time = redis.call('TIME')
            local said = { string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), redis.call('GET', KEYS[1]) or '' }
            for _, holder in ipairs(redis.call('ZRANGE', KEYS[3], 0, 15)) do
              local entry = redis.call('HGET', KEYS[4], holder) or ''
              local seen, channel, label = string.match(entry, '^(%d+)|([^|]*)|(.*)$')
              local listeners = channel and channel ~= '' and redis.call('PUBSUB', 'NUMSUB', channel)[2]
              table.insert(said, holder .. ' ' .. (seen or 0) .. ' ' .. (listeners or -1) .. ' ' .. (label or '?'))
            end
            return said
            """;

    private static final int MOST_LINES = 300;
    private static final long BEFORE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final double NANOS_PER_MILLI = 1e6;

    /** Alive until then by the server's clock; no listeners are counted without a channel. */
    private record Waiter(String holder, long seenUntil, long listeners, String label) {}

    private record Queue(String lock, List<Waiter> waiters) {}

    /** Seen for the first time at that moment. The observer was late by so many nanoseconds. */
    private record Look(long at, long late, long serverMillis, Queue queue) {}

    private final int most;
    private final Map<String, Deque<Look>> looks = new HashMap<>();
    private final Map<String, Long> lastAt = new HashMap<>();

    /**
     * An empty record.
     *
     * @param most how many changes of each lock are kept
     */
    QueueRecord(int most) {
        this.most = most;
    }

    /** Reads the queue, and remembers it if it has changed. */
    void look(String lock, RespConnection server, List<String> keys) throws IOException {
        List<String> command = new ArrayList<>(List.of("EVAL", SCRIPT, Integer.toString(keys.size())));
        command.addAll(keys);
        List<?> reply = (List<?>) Objects.requireNonNull(server.command(command.toArray(String[]::new)));
        List<Waiter> waiters =
                reply.stream().skip(2).map(one -> waiter(one.toString())).toList();
        add(
                lock,
                Long.parseLong(reply.get(0).toString()),
                new Queue(reply.get(1).toString(), waiters));
    }

    private static Waiter waiter(String line) {
        String[] words = line.split(" ", 4);
        return new Waiter(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
    }

    private synchronized void add(String lock, long serverMillis, Queue queue) {
        long now = System.nanoTime();
        @Nullable Long before = lastAt.put(lock, now);
        long late = before == null ? 0 : now - before;
        Deque<Look> all = looks.computeIfAbsent(lock, key -> new ArrayDeque<>());
        @Nullable Look last = all.peekLast();
        if (last == null || late > LATE_NANOS || !last.queue().equals(queue)) {
            if (all.size() == most) {
                all.removeFirst();
            }
            all.addLast(new Look(now, late, serverMillis, queue));
        }
    }

    @Override
    public synchronized String around(String lock, long from, long to) {
        List<Look> near = looks.getOrDefault(lock, new ArrayDeque<>()).stream()
                .filter(look -> look.at() >= from - BEFORE_NANOS && look.at() <= to)
                .toList();
        if (near.isEmpty()) {
            return "";
        }
        int leftOut = Math.max(0, near.size() - MOST_LINES);
        return "The queue at the server (holder or waiter, time it counts as alive for, listeners of its channel; the last "
                + (near.size() - leftOut) + " of " + near.size() + " changes):\n"
                + near.stream().skip(leftOut).map(look -> line(look, from)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(Look look, long zero) {
        String waiters = look.queue().waiters().stream()
                .map(waiter -> said(waiter, look.serverMillis()))
                .collect(Collectors.joining("; "));
        String late = look.late() > LATE_NANOS
                ? String.format(Locale.ROOT, "(looked %.0f ms late) ", look.late() / NANOS_PER_MILLI)
                : "";
        return String.format(
                Locale.ROOT,
                "  %12.3f ms  %s[%s] %s",
                (look.at() - zero) / NANOS_PER_MILLI,
                late,
                look.queue().lock(),
                waiters);
    }

    private static String said(Waiter waiter, long serverMillis) {
        String listeners = waiter.listeners() < 0 ? "no channel" : waiter.listeners() + " listening";
        return waiter.holder() + " of " + waiter.label() + " " + (waiter.seenUntil() - serverMillis) + " ms, "
                + listeners;
    }
}
