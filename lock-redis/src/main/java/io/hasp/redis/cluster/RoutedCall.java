package io.hasp.redis.cluster;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Timing;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The way of one call to the node that has its slot. It is sent again only where it certainly was not executed: a node has refused it
 * (MOVED, ASK, TRYAGAIN, CLUSTERDOWN), or could not be reached. While slots move or a master is replaced that is tried for a part of
 * the command timeout; then the last answer is the failure. Used by one thread at a time.
 */
final class RoutedCall<T> {
    private static final int MOST_REDIRECTIONS = 5;
    private static final int PART_OF_TIMEOUT = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    /** The parts that all calls of a client share. */
    record Ways(SlotTable table, TopologyRefresh refresh, Timing timing, Executor executor, Duration commandTimeout) {}

    /** The call itself. */
    @FunctionalInterface
    interface ToNode<T> {
        /**
         * Makes it.
         *
         * @param asking whether another node has sent us there for this one call
         */
        CompletionStage<T> send(ClusterNode node, boolean asking);
    }

    private final Ways ways;
    private final int slot;
    private final ToNode<T> call;
    private final long began;
    private Duration pause = FIRST_PAUSE;
    private int redirections;
    private boolean looked;
    private boolean waitsForKeys = true;

    RoutedCall(Ways ways, int slot, ToNode<T> call) {
        this.ways = ways;
        this.slot = slot;
        this.call = call;
        this.began = ways.timing().nanoTime();
    }

    /** Does not wait for keys that are being moved. */
    RoutedCall<T> unlessMoving() {
        waitsForKeys = false;
        return this;
    }

    CompletionStage<T> send() {
        ClusterNode owner = ways.table().owner(slot);
        if (owner == null) {
            ways.refresh().soon();
            return CompletableFuture.failedStage(new BackendFailure(
                    Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "slot " + slot + " of the cluster has no master", null));
        }
        return send(owner, false);
    }

    private CompletionStage<T> send(ClusterNode node, boolean asking) {
        CompletionStage<T> reply = call.send(node, asking);
        return (node.doubted ? reply.whenComplete((answer, failure) -> heard(node, failure)) : reply)
                .exceptionallyCompose(failure -> next(node, BackendFailure.causeOf(failure)));
    }

    private static void heard(ClusterNode node, @Nullable Throwable failure) {
        if (failure == null) {
            node.doubted = false;
        }
    }

    private CompletionStage<T> next(ClusterNode node, Throwable failure) {
        if (failure instanceof ErrorReplyException) {
            return afterError(node, failure, String.valueOf(failure.getMessage()));
        }
        ways.refresh().doubt(node);
        boolean sent = !(failure instanceof BackendFailure known) || known.outcome() != Outcome.NOT_APPLIED;
        return sent || looked ? CompletableFuture.failedStage(failure) : look(node, failure);
    }

    private CompletionStage<T> afterError(ClusterNode node, Throwable failure, String reply) {
        Optional<Address> elsewhere = Address.redirected(reply, node.address);
        boolean moved = reply.startsWith("MOVED ");
        if (moved || reply.startsWith("READONLY") || reply.startsWith("CLUSTERDOWN")) {
            ways.refresh().soon();
        }
        if (elsewhere.isPresent() && redirections++ < MOST_REDIRECTIONS) {
            return overdue()
                    ? CompletableFuture.failedStage(RedisFailures.unreachable(
                            elsewhere.get().toString(), new SocketTimeoutException("no time was left for " + reply)))
                    : send(ways.table().node(elsewhere.get()), !moved);
        }
        boolean waitedFor = waitsForKeys && reply.startsWith("TRYAGAIN");
        return elsewhere.isPresent() || waitedFor || reply.startsWith("CLUSTERDOWN")
                ? later(failure)
                : CompletableFuture.failedStage(failure);
    }

    /** The node may have been replaced. */
    private CompletionStage<T> look(ClusterNode node, Throwable failure) {
        looked = true;
        return ways.refresh().now().handle((done, unknown) -> unknown == null).thenCompose(known -> {
            ClusterNode owner = ways.table().owner(slot);
            return known && owner != null && owner != node && !late(Duration.ZERO)
                    ? send(owner, false)
                    : CompletableFuture.failedStage(failure);
        });
    }

    private CompletionStage<T> later(Throwable failure) {
        Duration wait = pause;
        if (late(wait)) {
            return CompletableFuture.failedStage(failure);
        }
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        redirections = 0;
        CompletableFuture<T> reply = new CompletableFuture<>();
        ways.timing()
                .schedule(
                        wait,
                        () -> orFail(
                                reply,
                                () -> ways.executor()
                                        .execute(() -> orFail(
                                                reply,
                                                () -> send().whenComplete((answer, failed) -> {
                                                    if (failed == null) {
                                                        reply.complete(answer);
                                                    } else {
                                                        reply.completeExceptionally(BackendFailure.causeOf(failed));
                                                    }
                                                })))));
        return reply;
    }

    /** A thread that makes several calls follows their answers one after the other: a silent node must not cost it a timeout for each. */
    private boolean overdue() {
        return ways.timing().nanoTime() - began >= ways.commandTimeout().toNanos();
    }

    private boolean late(Duration more) {
        long left = ways.commandTimeout().toNanos() / PART_OF_TIMEOUT
                - (ways.timing().nanoTime() - began);
        return left < more.toNanos();
    }

    /** Passes every error on to the future, even one of the JVM. Otherwise the caller would never get an answer. */
    private static void orFail(CompletableFuture<?> reply, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            reply.completeExceptionally(RedisFailures.unreachable("the cluster", e));
        }
    }
}
