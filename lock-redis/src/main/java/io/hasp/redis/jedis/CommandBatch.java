package io.hasp.redis.jedis;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commands that one thread sends together. Used by one thread. */
final class CommandBatch {
    private static final int MOST = 64;
    /** So many if they wait for long: a far server answers few batches a second, and a crowd would wait for a socket only. */
    private static final int MOST_WAITING = 1_024;

    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final PendingCommand[] NONE = {};

    /** The first {@link #size} places are taken. Every command taken from the queue is in one of them, even after an error. */
    PendingCommand[] commands = NONE;

    int size;

    /** Takes {@code first}, if there is one, and the queued commands. */
    void collect(@Nullable PendingCommand first, Queue<PendingCommand> waiting) {
        commands = new PendingCommand[first != null && waiting.isEmpty() ? 1 : MOST];
        if (first != null) {
            commands[size++] = first;
        }
        while (hasRoom(waiting)) {
            PendingCommand next = waiting.poll();
            if (next == null) {
                return;
            }
            commands[size++] = next;
            if (next.taken()) {
                size--;
            }
        }
    }

    private boolean hasRoom(Queue<PendingCommand> waiting) {
        if (size < commands.length) {
            return true;
        }
        PendingCommand next = waiting.peek();
        if (next == null || size >= MOST_WAITING || System.nanoTime() - next.queuedAt < LONG_NANOS) {
            return false;
        }
        commands = Arrays.copyOf(commands, Math.max(MOST, 2 * size));
        return true;
    }

    /** Claims those whose senders still wait, for sending, and drops the others. */
    void take(long now) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            PendingCommand pending = commands[i];
            if (pending.deadline - now > 0 && pending.take()) {
                commands[kept++] = pending;
            }
        }
        size = kept;
    }

    void forEach(Consumer<PendingCommand> action) {
        for (int i = 0; i < size; i++) {
            action.accept(commands[i]);
        }
    }

    void fail(RuntimeException why) {
        forEach(pending -> pending.fail(why));
    }
}
