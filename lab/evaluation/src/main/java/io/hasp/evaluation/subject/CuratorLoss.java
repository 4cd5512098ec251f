package io.hasp.evaluation.subject;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * What a {@code ConnectionStateListener} tells the holders of a client's locks, as Curator's page on the mutex advises: with
 * SUSPENDED none can be sure any more until RECONNECTED, with LOST none holds its lock any more. Thread-safe.
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

    /** Whether a lock that is taken now is still believed to be held. */
    BooleanSupplier belief() {
        int before = sessionsLost.get();
        return () -> connected && sessionsLost.get() == before;
    }
}
