package io.hasp.redis.cluster;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.RequestCombiner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries each call to the master of its slot, through a connection to one server for each master. All keys of a lock share a slot. So to a
 * lock its master is a server of its own, and a failover of this master is like a failover behind Sentinel. Thread-safe.
 */
public final class ClusterConnection implements RedisConnection {
    private static final int PART_OF_TIMEOUT = 4;
    private static final int MOST_TAGS = 5;
    private static final int MOST_THREADS = 16;

    private final String server;
    private final NodeConnection.Connector connector;
    private final SlotTable table;
    /** The client's threads may all wait for a master that does not answer, while other nodes have to be asked for its slots. */
    private final ThreadPoolExecutor threads = PlatformThreads.atMost(MOST_THREADS);

    private final TopologyRefresh refresh;
    private final RoutedCall.Ways ways;
    private volatile @Nullable ClusterSubscription subscription;
    private volatile Consumer<Predicate<String>> onOtherServer = locks -> {};

    private ClusterConnection(
            String server, List<Address> seeds, NodeConnection.Connector connector, BackendContext context) {
        this.server = server;
        this.connector = connector;
        this.table = new SlotTable(connector);
        this.refresh = new TopologyRefresh(table, seeds, connector, context.timing(), threads, this::changed);
        this.ways =
                new RoutedCall.Ways(table, refresh, context.timing(), context.executor(), connector.commandTimeout());
    }

    /**
     * Requests the map of the slots from the nodes, and waits for an answer.
     *
     * @param server the cluster in words, without credentials
     * @param seeds some nodes
     * @param connector closed with the connection, or if this fails
     * @throws BackendFailure if no node answers
     */
    public static ClusterConnection open(
            String server, List<Address> seeds, NodeConnection.Connector connector, BackendContext context) {
        ClusterConnection cluster = new ClusterConnection(server, seeds, connector, context);
        boolean open = false;
        try {
            cluster.refresh.now().toCompletableFuture().join();
            if (cluster.table.masters().isEmpty()) {
                throw new BackendFailure(
                        Kind.UNAVAILABLE, Outcome.NOT_APPLIED, cluster.server + " has no slots at any node", null);
            }
            open = true;
            return cluster;
        } catch (CompletionException e) {
            throw e.getCause() instanceof BackendFailure failure ? failure : e;
        } finally {
            if (!open) {
                cluster.close();
            }
        }
    }

    private void changed(SlotTable.Change change) {
        ClusterSubscription heard = subscription;
        change.joined().forEach(this::watch);
        if (heard != null) {
            change.joined().forEach(heard::startLater);
        }
        change.left().forEach(node -> {
            node.connection.cut();
            refresh.close(node::close);
        });
        if (heard != null && change.unheard()) {
            heard.interrupted();
        }
        if (!change.lost().isEmpty()) {
            onOtherServer.accept(lock -> change.lost().get(Slot.of(lock)));
        }
    }

    /** A master that was restarted may have lost its locks, although no other one has taken over. */
    private void watch(ClusterNode node) {
        node.connection.onOtherServer(all -> onOtherServer.accept(lock -> table.owner(Slot.of(lock)) == node));
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return call(command, script, keys, arguments).send();
    }

    @Override
    public CompletionStage<String> evaluateUnlessMoving(
            Command command, String script, List<String> keys, List<String> arguments) {
        return call(command, script, keys, arguments).unlessMoving().send();
    }

    private RoutedCall<String> call(Command command, String script, List<String> keys, List<String> arguments) {
        return new RoutedCall<>(
                ways,
                Slot.of(keys.get(0)),
                (node, asking) -> asking
                        ? node.connection.evaluateAsking(command, script, keys, arguments)
                        : node.connection.evaluate(command, script, keys, arguments));
    }

    /** Waits for the replicas of the master that has the lock's slot. */
    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        return call -> new RoutedCall<>(
                        ways,
                        Slot.of(call.keys().get(0)),
                        (node, asking) -> node.acknowledging(replicas, within).evaluate(call.asking(asking)))
                .send();
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        ClusterSubscription started = new ClusterSubscription(table, refresh, channel, listener);
        subscription = started;
        started.start(table.masters());
        return started;
    }

    /** Skips a server that can't be reached, unless no server can be reached. */
    @Override
    public void eachServer(BiConsumer<RedisConnection, String> check) {
        List<RuntimeException> unreachable = new ArrayList<>();
        List<ClusterNode> masters = List.copyOf(table.masters());
        for (ClusterNode node : masters) {
            try {
                check(node, check);
            } catch (BackendFailure | CompletionException e) {
                if (!(BackendFailure.causeOf(e) instanceof BackendFailure known) || known.kind() != Kind.UNAVAILABLE) {
                    throw e;
                }
                refresh.doubt(node);
                unreachable.add(e);
            }
        }
        if (unreachable.size() == masters.size()) {
            throw unreachable.get(0);
        }
    }

    @Override
    public List<RedisConnection> servers() {
        return table.masters().stream()
                .map(node -> (RedisConnection) node.connection)
                .sorted(Comparator.comparing(RedisConnection::server))
                .toList();
    }

    /** By a key of one of its slots; by one of another slot where that is being moved, since then it is not there. */
    private void check(ClusterNode node, BiConsumer<RedisConnection, String> check) {
        List<String> tags = tagsOf(node);
        for (int i = 0; ; i++) {
            try {
                check.accept(node.connection, tags.get(i));
                return;
            } catch (CompletionException e) {
                if (i + 1 == tags.size() || !RedisFailures.ofOneSlot(e)) {
                    throw e;
                }
            }
        }
    }

    /** Hash tags of some of its slots; an empty one if it has none any more. */
    private List<String> tagsOf(ClusterNode node) {
        List<String> tags = new ArrayList<>();
        for (int i = 0; tags.size() < MOST_TAGS && i < Slot.COUNT && table.slotOf(node) >= 0; i++) {
            String tag = "{" + i + "}";
            if (table.owner(Slot.of(tag)) == node) {
                tags.add(tag);
            }
        }
        return tags.isEmpty() ? List.of("") : tags;
    }

    @Override
    public CallGroup callGroup(String lock) {
        int slot = Slot.of(lock);
        ClusterNode owner = table.owner(slot);
        return new CallGroup(owner == null ? "" : owner.address.toString(), slot);
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        return connector.combiner();
    }

    @Override
    public boolean splitsCalls() {
        return true;
    }

    /** Threads that no call of a user's takes. */
    @Override
    public Executor renewing(Executor others) {
        return threads;
    }

    @Override
    public void reconnect() {
        refresh.soon();
    }

    @Override
    public void onOtherServer(Consumer<Predicate<String>> listener) {
        onOtherServer = listener;
    }

    @Override
    public Duration resendsWithin() {
        return commandTimeout().dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public Duration commandTimeout() {
        return connector.commandTimeout();
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public void close() {
        refresh.close();
        try {
            table.close();
        } finally {
            threads.shutdown();
            connector.close();
        }
    }
}
