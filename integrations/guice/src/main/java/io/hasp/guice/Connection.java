package io.hasp.guice;

import com.google.inject.Provider;
import io.hasp.LockClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens one client of one injector when it is first asked for. */
final class Connection implements Provider<LockClient> {
    private final Supplier<LockClient> connect;
    private final Provider<HaspShutdown> shutdown;
    private final boolean eager;
    private @Nullable LockClient client;

    Connection(Supplier<LockClient> connect, Provider<HaspShutdown> shutdown, boolean eager) {
        this.connect = connect;
        this.shutdown = shutdown;
        this.eager = eager;
    }

    @Override
    public synchronized LockClient get() {
        if (client == null) {
            client = open(shutdown.get());
        }
        return client;
    }

    private LockClient open(HaspShutdown shutdown) {
        try {
            return shutdown.open(connect);
        } catch (RuntimeException e) {
            if (eager) {
                // There will be no injector, so nobody else could close what is open already.
                shutdown.close();
            }
            throw e;
        }
    }
}
