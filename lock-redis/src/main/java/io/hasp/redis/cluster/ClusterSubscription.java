package io.hasp.redis.cluster;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import java.util.Collection;

/**
 * Listens to a channel at each master. A master counts only its own listeners, and passes each message on to all others, so that it arrives
 * once from each. The one that counts is that of the master which has the lock's slot, as far as this client knows: so each master is like
 * a server of its own.
 */
final class ClusterSubscription implements Subscription {
    private final SlotTable table;
    private final TopologyRefresh refresh;
    private final String channel;
    private final ChannelListener listener;

    ClusterSubscription(SlotTable table, TopologyRefresh refresh, String channel, ChannelListener listener) {
        this.table = table;
        this.refresh = refresh;
        this.channel = channel;
        this.listener = listener;
    }

    /** Listens to those, and returns when they have confirmed; to one that can't be reached as soon as it can. */
    void start(Collection<ClusterNode> nodes) {
        for (ClusterNode node : nodes) {
            if (node.doubted || !started(node)) {
                startLater(node);
            }
        }
    }

    private boolean started(ClusterNode node) {
        try {
            node.subscription = node.connection.subscribe(channel, of(node));
            return true;
        } catch (BackendFailure e) {
            if (e.kind() != Kind.UNAVAILABLE) {
                throw e;
            }
            refresh.doubt(node);
            return false;
        }
    }

    /** Listens to a node as soon as it can be reached. */
    void startLater(ClusterNode node) {
        node.listenLater(channel, of(node));
    }

    private ChannelListener of(ClusterNode node) {
        return new ChannelListener(
                message -> {
                    if (table.owner(Slot.of(message)) == node) {
                        listener.onMessage().accept(message);
                    }
                },
                () -> {
                    refresh.doubt(node);
                    listener.onInterruption().run();
                },
                () -> {
                    node.doubted = false;
                    listener.onReturn().run();
                });
    }

    /** Some slots are at nodes without a subscription yet. */
    void interrupted() {
        listener.onInterruption().run();
    }

    @Override
    public boolean live() {
        return table.masters().stream().allMatch(ClusterNode::live);
    }

    @Override
    public boolean live(String lock) {
        ClusterNode owner = table.owner(Slot.of(lock));
        return owner != null && owner.live();
    }

    @Override
    public void listenAgain(String lock) {
        ClusterNode owner = table.owner(Slot.of(lock));
        Subscription heard = owner == null ? null : owner.subscription;
        if (heard != null) {
            heard.listenAgain(lock);
        }
    }
}
