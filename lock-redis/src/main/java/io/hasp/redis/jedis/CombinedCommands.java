package io.hasp.redis.jedis;

import io.hasp.redis.blocking.ExceptionSafe;
import java.util.ArrayList;
import java.util.List;
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

    /** Every command gets an answer, whatever fails on the way. */
    private void send() {
        boolean several =
                all.stream().anyMatch(made -> made.pool() != all.get(0).pool());
        all.forEach(made -> made.pool().queue(made.command(), several));
        all.forEach(made -> made.pool().awaitQueued(made.command()));
        ExceptionSafe.forEach(all, Made::complete);
    }
}
