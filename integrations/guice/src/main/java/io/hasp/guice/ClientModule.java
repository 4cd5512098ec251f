package io.hasp.guice;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.binder.ScopedBindingBuilder;
import io.hasp.LockClient;

/** One client, and nothing of how it is made. */
final class ClientModule extends PrivateModule {
    private final Key<LockClient> client;
    private final Connection connection;
    private final boolean eagerly;

    ClientModule(Key<LockClient> client, Connection connection, boolean eagerly) {
        this.client = client;
        this.connection = connection;
        this.eagerly = eagerly;
    }

    @Override
    protected void configure() {
        // Not a singleton of Guice's if lazy, because those are eager in production; the connection opens one client
        // anyway.
        ScopedBindingBuilder binding = bind(client).toProvider(connection);
        if (eagerly) {
            binding.asEagerSingleton();
        }
        expose(client);
    }
}
