package io.hasp.evaluation.subject;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Detects losses by a {@code ConnectionStateListener}, as Curator's page on the mutex advises. After SUSPENDED no hold
 * of the client is certain until RECONNECTED; after LOST every hold is lost. Thread-safe.
 */
final class CuratorLoss implements ConnectionStateListener {
    private volatile boolean connected = true;
    private final AtomicInteger sessionsLost = new AtomicInteger();

    static CuratorLoss of(CuratorFramework client) {
        CuratorLoss loss = new CuratorLoss();
        client.getConnectionStateListenable().addListener(loss);
        return loss;
    }

    @Override
    public void stateChanged(CuratorFramework client, ConnectionState state) {
        if (state == ConnectionState.LOST) {
            sessionsLost.incrementAndGet();
        }
        connected = state.isConnected();
    }

    /** Returns a supplier that is true while a lock taken now is considered held. */
    BooleanSupplier belief() {
        int before = sessionsLost.get();
        return () -> connected && sessionsLost.get() == before;
    }
}
