package io.hasp.redis.cluster;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the table of slots up to date. A cluster does not notify its clients of changes, so the nodes are asked, one after the other until
 * one answers. Questions are sent when a call was redirected and when a node gave no answer, and then twice a second until that node has
 * answered or has no slots any more. An answer that is older than the known table comes from a node that was cut off from the others, and
 * does not count. If a majority of the nodes gives older answers, an operator has reset the cluster, and they count. Thread-safe.
 */
final class TopologyRefresh {
    private static final Duration BETWEEN = Duration.ofMillis(100);
    /** One that takes longer may have ended in an error of the JVM, unnoticed. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration WHILE_IN_DOUBT = Duration.ofMillis(500);

    private final SlotTable table;
    private final List<Address> seeds;
    private final NodeConnection.Connector connector;
    private final Timing timing;
    private final Executor executor;
    private final Consumer<SlotTable.Change> onChange;
    /** Guarded by this, as are the two below: the refresh that is under way, or the latest. */
    private CompletableFuture<Void> latest = CompletableFuture.completedFuture(null);

    private @Nullable Long lastBegan;
    private boolean planned;
    /** The node that answered last is asked last: it may have missed a change. */
    private @Nullable Address last;

    private volatile boolean closed;

    TopologyRefresh(
            SlotTable table,
            List<Address> seeds,
            NodeConnection.Connector connector,
            Timing timing,
            Executor executor,
            Consumer<SlotTable.Change> onChange) {
        this.table = table;
        this.seeds = List.copyOf(seeds);
        this.connector = connector;
        this.timing = timing;
        this.executor = executor;
        this.onChange = onChange;
    }

    /** Asks now, or waits for the answer of a question that is under way; may block. Fails if no node gives one that counts. */
    CompletionStage<Void> now() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        synchronized (this) {
            long now = timing.nanoTime();
            if (!latest.isDone() && lastBegan != null && now - lastBegan < LONGEST.toNanos()) {
                return latest;
            }
            latest = mine;
            lastBegan = now;
        }
        CompletionStage<Void> asked;
        try {
            asked = ask(candidates(), new ArrayList<>(), new ArrayList<>());
        } catch (RuntimeException | Error e) {
            asked = CompletableFuture.failedStage(e);
        }
        asked.whenComplete((done, failure) -> {
            if (failure == null) {
                mine.complete(null);
            } else {
                mine.completeExceptionally(BackendFailure.causeOf(failure));
            }
        });
        return mine;
    }

    /** Asks on another thread, but not more often than makes sense. */
    void soon() {
        Duration pause;
        synchronized (this) {
            if (planned || closed) {
                return;
            }
            planned = true;
            long since = lastBegan == null ? BETWEEN.toNanos() : timing.nanoTime() - lastBegan;
            pause = BETWEEN.minusNanos(since);
        }
        boolean begun = false;
        try {
            if (pause.isNegative() || pause.isZero()) {
                inBackground();
            } else {
                timing.schedule(pause, this::inBackground);
            }
            begun = true;
        } finally {
            if (!begun) {
                notPlanned();
            }
        }
    }

    private synchronized void notPlanned() {
        planned = false;
    }

    private void inBackground() {
        notPlanned();
        try {
            executor.execute(this::now);
        } catch (RejectedExecutionException e) {
            // The client is closed.
        }
    }

    /** A node gave no answer, or its subscription was cut off. */
    void doubt(ClusterNode node) {
        if (node.doubted) {
            soon();
        } else {
            node.doubted = true;
            whileInDoubt(node);
        }
    }

    private void whileInDoubt(ClusterNode node) {
        if (node.doubted && !closed && table.slotOf(node) >= 0) {
            soon();
            timing.schedule(WHILE_IN_DOUBT, () -> whileInDoubt(node));
        }
    }

    /** Nodes that have not answered of late come last, and addresses that were given at first after all that are known. */
    private List<Address> candidates() {
        List<ClusterNode> masters = new ArrayList<>(table.masters());
        Collections.shuffle(masters);
        Map<Boolean, List<Address>> byDoubt = masters.stream()
                .collect(Collectors.partitioningBy(
                        node -> node.doubted, Collectors.mapping(node -> node.address, Collectors.toList())));
        Set<Address> all = new LinkedHashSet<>(byDoubt.get(false));
        all.addAll(byDoubt.get(true));
        all.addAll(seeds);
        Address answered = last;
        if (answered != null && all.remove(answered)) {
            all.add(answered);
        }
        return List.copyOf(all);
    }

    private CompletionStage<Void> ask(List<Address> left, List<Topology> behind, List<BackendFailure> failures) {
        if (closed || left.isEmpty()) {
            return decided(behind, failures);
        }
        Address address = left.get(0);
        return answer(address)
                .handle((answer, failure) -> {
                    if (failure != null) {
                        failures.add(RedisFailures.ofNode("node " + address, failure));
                    } else if (table.isAhead(answer)) {
                        behind.add(answer);
                    } else {
                        last = address;
                        return take(answer);
                    }
                    return ask(left.subList(1, left.size()), behind, failures);
                })
                .thenCompose(Function.identity());
    }

    private CompletionStage<Topology> answer(Address address) {
        return table.masters().stream()
                .filter(node -> node.address.equals(address))
                .findFirst()
                .map(node -> answer(node.address, node.connection))
                .orElseGet(() -> {
                    NodeConnection once = connector.connect(address.host(), address.port());
                    return answer(address, once).whenComplete((answer, failure) -> close(once::close));
                });
    }

    private static CompletionStage<Topology> answer(Address address, NodeConnection connection) {
        return connection
                .evaluate(Command.EVALSHA, Topology.QUESTION.sha(), List.of(), List.of())
                .exceptionallyCompose(failure -> RedisFailures.unknownScript(failure)
                        ? connection.evaluate(Command.EVAL, Topology.QUESTION.text(), List.of(), List.of())
                        : CompletableFuture.failedStage(failure))
                .thenApply(reply -> Topology.parse(reply, address));
    }

    private CompletionStage<Void> take(Topology answer) {
        onChange.accept(table.take(answer));
        return CompletableFuture.completedStage(null);
    }

    private CompletionStage<Void> decided(List<Topology> behind, List<BackendFailure> failures) {
        if (!closed && 2 * behind.size() > behind.size() + failures.size()) {
            return take(Collections.max(behind, Comparator.comparingLong(Topology::epoch)));
        }
        boolean mayPass = closed
                || !behind.isEmpty()
                || failures.stream().anyMatch(failure -> failure.kind() == Kind.UNAVAILABLE);
        String reasons =
                closed ? "closed" : failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; "));
        return CompletableFuture.failedStage(new BackendFailure(
                mayPass ? Kind.UNAVAILABLE : failures.get(0).kind(),
                Outcome.NOT_APPLIED,
                "no node says where the slots are: " + reasons,
                null));
    }

    /** Closes what is used no more, on another thread: that may block. */
    void close(Runnable closing) {
        try {
            executor.execute(closing);
        } catch (RejectedExecutionException e) {
            closing.run();
        }
    }

    void close() {
        closed = true;
    }
}
