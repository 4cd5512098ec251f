package io.hasp.guice;

import com.google.inject.Provider;
import io.hasp.LockClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens one client of one injector on first use. */
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
                // No injector will exist, so the open clients must be closed here.
                shutdown.close();
            }
            throw e;
        }
    }
}
