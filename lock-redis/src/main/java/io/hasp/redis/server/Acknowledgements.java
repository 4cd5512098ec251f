package io.hasp.redis.server;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.ServerRenewals.Request;
import io.hasp.spi.Grant;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has replicas acknowledge grants. {@code WAIT} is about all that the server has written until then, and holds up what is behind it on the
 * same connection. So each grant is renewed on a connection that is there for this only, and {@code WAIT} follows. Grants that come while
 * one waits are renewed and waited for together (group commit): the time for many is that of two. Thread-safe; never blocks.
 */
public final class Acknowledgements {
    private static final int MOST_AT_ONCE = 100;
    private static final char HELD = '1';

    private final RedisConnection connection;
    private final LockKeys keys;
    private final int replicas;
    private final Duration within;
    private final Lane exclusive;
    private final Lane shared;

    /**
     * What became of a grant.
     *
     * @param held whether the server still had it for its holder
     * @param replicas how many have received it
     */
    public record Answer(boolean held, long replicas) {}

    private record Pending(Grant grant, CompletableFuture<Answer> answer) {}

    public Acknowledgements(RedisConnection connection, LockKeys keys, int replicas, Duration within) {
        this.connection = connection;
        this.keys = keys;
        this.replicas = replicas;
        this.within = within;
        this.exclusive = new Lane(connection.acknowledging());
        this.shared = new Lane(connection.acknowledging());
    }

    /** Confirms a grant by a write, and waits for replicas; the stage takes a command timeout at most. */
    public CompletionStage<Answer> confirm(Grant grant) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        (ServerRenewals.exclusive(grant) ? exclusive : shared).add(new Pending(grant, answer));
        return answer.copy()
                .orTimeout(connection.commandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        failure instanceof TimeoutException
                                ? RedisFailures.silent(connection.server(), new SocketTimeoutException("timed out"))
                                : failure));
    }

    /** The grants of one kind: one script renews them. */
    private final class Lane {
        private final Acknowledging waits;
        /** Guarded by this, as are the two below. */
        private final Queue<Pending> queued = new ArrayDeque<>();
        /** Those of a call that was refused for the key of one of them: each is asked for by itself. */
        private final Queue<Pending> apart = new ArrayDeque<>();

        private boolean busy;

        Lane(Acknowledging waits) {
            this.waits = waits;
        }

        void add(Pending one) {
            synchronized (this) {
                queued.add(one);
                if (busy) {
                    return;
                }
                busy = true;
            }
            askNext();
        }

        private synchronized List<Pending> next() {
            Queue<Pending> from = apart.isEmpty() ? queued : apart;
            int most = apart.isEmpty() ? MOST_AT_ONCE : 1;
            List<Pending> next = new ArrayList<>();
            while (next.size() < most && !from.isEmpty()) {
                next.add(from.remove());
            }
            busy = !next.isEmpty();
            return next;
        }

        private void askNext() {
            List<Pending> all = next();
            if (all.isEmpty()) {
                return;
            }
            ask(all).whenComplete((answer, failure) -> {
                if (failure != null && all.size() > 1 && RedisFailures.ofOneKey(failure)) {
                    setApart(all);
                    askNext();
                } else {
                    askNext();
                    tell(all, answer, failure);
                }
            });
        }

        /** Whatever goes wrong ends these only: those behind them have their turn. */
        private CompletionStage<Acknowledged> ask(List<Pending> all) {
            try {
                return ask(ServerRenewals.request(
                        keys, all.stream().map(Pending::grant).toList()));
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedStage(e);
            }
        }

        private synchronized void setApart(List<Pending> all) {
            apart.addAll(all);
        }

        /** Once more if the socket turned out to be closed: a renewal may be asked for twice. */
        private CompletionStage<Acknowledged> ask(Request request) {
            return once(request)
                    .exceptionallyCompose(failure ->
                            RedisFailures.cutOff(failure) ? once(request) : CompletableFuture.failedStage(failure));
        }

        private CompletionStage<Acknowledged> once(Request request) {
            return evaluate(Command.EVALSHA, request.script().sha(), request)
                    .exceptionallyCompose(failure -> RedisFailures.unknownScript(failure)
                            ? evaluate(Command.EVAL, request.script().text(), request)
                            : CompletableFuture.failedStage(failure));
        }

        private CompletionStage<Acknowledged> evaluate(Command command, String script, Request request) {
            return waits.evaluate(command, script, request.keys(), request.arguments(), replicas, within);
        }

        private void tell(List<Pending> all, Acknowledged acknowledged, Throwable failure) {
            for (int i = 0; i < all.size(); i++) {
                CompletableFuture<Answer> answer = all.get(i).answer();
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    answer.complete(new Answer(acknowledged.reply().charAt(i) == HELD, acknowledged.replicas()));
                }
            }
        }
    }
}
