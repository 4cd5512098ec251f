package io.hasp.zookeeper.session;

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
 * Curator's current session, and the changes of its state. Curator replaces the handle when a session has ended, so the handle
 * identifies the session. Thread-safe.
 */
public final class CurrentSession {
    /** Receives the changes. */
    public interface Listener {
        /** The connection is interrupted; the session may survive. */
        void suspended();

        /** The client is connected, with a new session. */
        void connected();

        /** The connection is back, with the same session. */
        void restored(Session session);

        /** The session has ended, or Curator has given it up. */
        void ended(Session session);
    }

    private final CuratorFramework client;
    private final Function<String, List<ACL>> acl;
    private final Timing timing;
    private final boolean lent;
    private final Function<ZooKeeper, OptionalLong> createdAt;
    private final Listener listener;
    private final ConnectionStateListener stateListener = (any, now) -> changed(now);
    private final CuratorListener closingListener = (any, event) -> closing(event.getType());
    private @Nullable Session session;

    /**
     * Creates an instance for a started client. The listener is not called before {@link #listen}, because it may be a part of an object
     * under construction.
     *
     * @param acl the permissions of a node by its path
     * @param lent true if the client belongs to the application, which may block its event thread
     * @param createdAt a moment before a handle of the client was created, if one is known
     */
    public CurrentSession(
            CuratorFramework client,
            Function<String, List<ACL>> acl,
            Timing timing,
            boolean lent,
            Function<ZooKeeper, OptionalLong> createdAt,
            Listener listener) {
        this.client = client;
        this.acl = acl;
        this.timing = timing;
        this.lent = lent;
        this.createdAt = createdAt;
        this.listener = listener;
    }

    /** Calls the listener for changes from now on. */
    public void listen() {
        client.getConnectionStateListenable().addListener(stateListener);
        try {
            client.getCuratorListenable().addListener(closingListener);
        } catch (UnsupportedOperationException aNamespaceView) {
            // The handle reports that it is closed.
        }
    }

    /** True if Curator was closed, which ends its last session. */
    public boolean curatorClosed() {
        return client.getState() == CuratorFrameworkState.STOPPED;
    }

    /** Curator reports that it is closing before it closes the session, and reports nothing afterwards. */
    private void closing(CuratorEventType type) {
        if (type == CuratorEventType.CLOSING) {
            end(latest());
        }
    }

    /**
     * Returns the session, if it is connected as far as is known.
     *
     * @throws BackendFailure if there is none; nothing was sent then
     */
    public Session get() {
        if (curatorClosed()) {
            end(latest());
            throw ZooKeeperFailures.notSent("the Curator client was closed by its owner", null);
        }
        if (!client.getZookeeperClient().isConnected()) {
            throw ZooKeeperFailures.notSent("not connected to ZooKeeper at " + servers(), null);
        }
        ZooKeeper handle = handle();
        switch (handle.getState()) {
            case CONNECTED -> {}
            case CONNECTEDREADONLY ->
                throw ZooKeeperFailures.notSent("the ZooKeeper server is read-only: it has lost its quorum", null);
            default -> throw ZooKeeperFailures.notSent("not connected to ZooKeeper at " + servers(), null);
        }
        Session ended;
        Session now;
        synchronized (this) {
            if (session != null && session.hasHandle(handle)) {
                return session;
            }
            ended = session;
            now = new Session(handle, acl, timing, createdAt.apply(handle), lent);
            session = now;
        }
        end(ended);
        if (lent) {
            now.onClosed(() -> end(now));
        }
        return now;
    }

    private ZooKeeper handle() {
        try {
            return client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw ZooKeeperFailures.notSent("not connected to ZooKeeper at " + servers() + ": " + e.getMessage(), e);
        }
    }

    public String servers() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }

    private void changed(ConnectionState now) {
        switch (now) {
            case SUSPENDED, READ_ONLY -> listener.suspended();
            case LOST -> lost();
            case CONNECTED, RECONNECTED -> reconnected();
        }
    }

    /**
     * Curator's report names no session, and is late if a listener of the application blocks. A handle that is connected has its
     * session: the report is then about an earlier one.
     */
    private void lost() {
        Session latest = latest();
        if (latest != null && !latest.connected()) {
            end(latest);
        }
    }

    private void reconnected() {
        Session before = latest();
        try {
            Session now = get();
            if (now == before) {
                listener.restored(now);
            } else {
                listener.connected();
            }
        } catch (BackendFailure interruptedAgain) {
            listener.suspended();
        }
    }

    public synchronized @Nullable Session latest() {
        return session;
    }

    private void end(@Nullable Session over) {
        if (over != null && over.end()) {
            listener.ended(over);
        }
    }

    public void close() {
        client.getConnectionStateListenable().removeListener(stateListener);
        try {
            client.getCuratorListenable().removeListener(closingListener);
        } catch (UnsupportedOperationException aNamespaceView) {
            // It was not added.
        }
    }
}
