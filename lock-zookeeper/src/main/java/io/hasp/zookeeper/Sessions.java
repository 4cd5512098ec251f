package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The session that Curator keeps at present, and what becomes of it. Curator replaces the handle when a session ended, so a
 * session is known by its handle. Thread-safe.
 */
final class Sessions {
    /** Told about the session. */
    interface Watching {
        /** The connection is interrupted; the session may go on. */
        void suspended();

        /** There is a connection, to a session that is not known yet. */
        void connected();

        /** The connection is back, with the same session. */
        void restored(Session session);

        /** The session is over, or given up by Curator. */
        void ended(Session session);
    }

    private final CuratorFramework client;
    private final List<ACL> acl;
    private final Timing timing;
    private final Function<ZooKeeper, OptionalLong> madeAt;
    private final Watching watching;
    private final ConnectionStateListener listener = (any, now) -> changed(now);
    private final CuratorListener closing = (any, event) -> closing(event.getType());
    private @Nullable Session session;

    /**
     * Of a client that was started.
     *
     * @param madeAt a moment before a handle of the client was made, if one is known
     */
    Sessions(
            CuratorFramework client,
            List<ACL> acl,
            Timing timing,
            Function<ZooKeeper, OptionalLong> madeAt,
            Watching watching) {
        this.client = client;
        this.acl = acl;
        this.timing = timing;
        this.madeAt = madeAt;
        this.watching = watching;
        client.getConnectionStateListenable().addListener(listener);
        try {
            client.getCuratorListenable().addListener(closing);
        } catch (UnsupportedOperationException aNamespaceView) {
            // That it is closed is found by whoever asks for the session next, at the latest by the heartbeat.
        }
    }

    /** Whether Curator was closed, which ends its session: there will be no other. */
    boolean over() {
        return client.getState() == CuratorFrameworkState.STOPPED;
    }

    /** Curator says so before it closes the session, and tells nobody afterwards. */
    private void closing(CuratorEventType type) {
        if (type == CuratorEventType.CLOSING) {
            end(latest());
        }
    }

    /**
     * The session, connected at this moment as far as is known.
     *
     * @throws BackendFailure if there is none, in which case nothing was sent
     */
    Session current() {
        if (over()) {
            end(latest());
            throw Failures.notSent("the Curator client was closed by its owner", null);
        }
        if (!client.getZookeeperClient().isConnected()) {
            throw Failures.notSent("not connected to ZooKeeper at " + servers(), null);
        }
        ZooKeeper handle = handle();
        switch (handle.getState()) {
            case CONNECTED -> {}
            case CONNECTEDREADONLY ->
                throw Failures.notSent("the ZooKeeper server is read-only: it has lost its quorum", null);
            default -> throw Failures.notSent("not connected to ZooKeeper at " + servers(), null);
        }
        Session ended;
        Session now;
        synchronized (this) {
            if (session != null && session.isOf(handle)) {
                return session;
            }
            ended = session;
            now = new Session(handle, acl, timing, madeAt.apply(handle));
            session = now;
        }
        end(ended);
        return now;
    }

    private ZooKeeper handle() {
        try {
            return client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw Failures.notSent("not connected to ZooKeeper at " + servers() + ": " + e.getMessage(), e);
        }
    }

    String servers() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }

    private void changed(ConnectionState now) {
        switch (now) {
            case SUSPENDED, READ_ONLY -> watching.suspended();
            case LOST -> end(latest());
            case CONNECTED, RECONNECTED -> reconnected();
        }
    }

    private void reconnected() {
        Session before = latest();
        try {
            Session now = current();
            if (now == before) {
                watching.restored(now);
            } else {
                watching.connected();
            }
        } catch (BackendFailure interruptedAgain) {
            watching.suspended();
        }
    }

    private synchronized @Nullable Session latest() {
        return session;
    }

    private void end(@Nullable Session over) {
        if (over != null && over.end()) {
            watching.ended(over);
        }
    }

    void close() {
        client.getConnectionStateListenable().removeListener(listener);
        try {
            client.getCuratorListenable().removeListener(closing);
        } catch (UnsupportedOperationException aNamespaceView) {
            // It was not added.
        }
    }
}
