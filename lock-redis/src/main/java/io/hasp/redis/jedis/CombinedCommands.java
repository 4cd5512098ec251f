package io.hasp.redis.jedis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import redis.clients.jedis.CommandArguments;

/**
 * The commands that one thread makes in a task, to any number of servers. They are sent at the end of the task, those to one server in one
 * write. Used by one thread.
 */
final class CombinedCommands {
    private static final ThreadLocal<CombinedCommands> CURRENT = new ThreadLocal<>();

    /**
     * One command.
     *
     * @param answer completes on the thread of the task, which is the only one to run what depends on it
     */
    private record Made(CombiningPool pool, PendingCommand command, CompletableFuture<String> answer) {
        void complete() {
            command.reply.whenComplete((reply, failure) -> {
                if (failure == null) {
                    answer.complete(reply);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }
    }

    private final List<Made> all = new ArrayList<>();

    private CombinedCommands() {}

    /** Sends a command now, or at the end of the task that the calling thread runs. */
    static CompletableFuture<String> send(CombiningPool pool, CommandArguments command, boolean asking) {
        CombinedCommands together = CURRENT.get();
        return together == null ? pool.send(command, asking) : together.add(pool, pool.pending(command, asking));
    }

    /** Runs the task and sends its commands. All answers are complete when this returns. */
    static void combine(Runnable requests) {
        CombinedCommands mine = new CombinedCommands();
        CombinedCommands outer = CURRENT.get();
        CURRENT.set(mine);
        try {
            requests.run();
        } finally {
            CURRENT.set(outer);
            mine.send();
        }
    }

    private CompletableFuture<String> add(CombiningPool pool, PendingCommand command) {
        Made made = new Made(pool, command, new CompletableFuture<>());
        all.add(made);
        return made.answer();
    }

    private void send() {
        Set<CombiningPool> pools = new LinkedHashSet<>();
        for (Made made : all) {
            made.pool().queue(made.command());
            pools.add(made.pool());
        }
        if (pools.size() > 1) {
            // The servers work at the same time.
            pools.forEach(CombiningPool::startCombiner);
        }
        all.forEach(made -> made.pool().awaitQueued(made.command()));
        all.forEach(Made::complete);
    }
}
