package io.hasp.redis.server;

import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Evaluation;
import io.hasp.spi.BackendFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One wait for replicas for many scripts. {@code WAIT} covers all earlier writes of its connection, and holds up everything behind it. So
 * scripts that come during a wait are sent together and share the next wait; the time for many is that of two. Thread-safe; never blocks.
 */
public final class GroupCommit implements Acknowledging {
    private static final int MOST_AT_ONCE = 1_000;

    /** Sends scripts and a {@code WAIT} behind them. Never used for others before its stage has completed, which it always does. */
    @FunctionalInterface
    public interface Exchange {
        /**
         * Fails if no reply can be trusted; after that, the next one takes another socket. An error reply to a script is no failure of the
         * others.
         */
        CompletionStage<Replies> send(List<Evaluation> calls);
    }

    /**
     * The server's replies to a group.
     *
     * @param scripts completed: a reply to each script, or its error
     * @param replicas the number of replicas that have received all writes of the group
     */
    public record Replies(List<CompletableFuture<String>> scripts, long replicas) {}

    private record Pending(Evaluation call, CompletableFuture<Acknowledged> answer) {}

    private final Exchange exchange;
    /** Guarded by this, as is the one below. */
    private final Queue<Pending> queued = new ArrayDeque<>();

    private boolean busy;

    public GroupCommit(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public CompletionStage<Acknowledged> evaluate(Evaluation call) {
        Pending mine = new Pending(call, new CompletableFuture<>());
        synchronized (this) {
            queued.add(mine);
            if (busy) {
                return mine.answer();
            }
            busy = true;
        }
        sendNext();
        return mine.answer();
    }

    private synchronized List<Pending> next() {
        List<Pending> next = new ArrayList<>();
        while (next.size() < MOST_AT_ONCE && !queued.isEmpty()) {
            next.add(queued.remove());
        }
        busy = !next.isEmpty();
        return next;
    }

    private void sendNext() {
        List<Pending> all = next();
        if (!all.isEmpty()) {
            send(all.stream().map(Pending::call).toList()).whenComplete((replies, failure) -> {
                sendNext();
                tell(all, replies, failure);
            });
        }
    }

    /** A failure ends these calls only; the calls behind them are sent next. */
    private CompletionStage<Replies> send(List<Evaluation> calls) {
        try {
            return exchange.send(calls);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static void tell(List<Pending> all, Replies replies, Throwable failure) {
        for (int i = 0; i < all.size(); i++) {
            CompletableFuture<Acknowledged> answer = all.get(i).answer();
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                replies.scripts().get(i).whenComplete((reply, error) -> {
                    if (error == null) {
                        answer.complete(new Acknowledged(reply, replies.replicas()));
                    } else {
                        answer.completeExceptionally(BackendFailure.causeOf(error));
                    }
                });
            }
        }
    }
}
