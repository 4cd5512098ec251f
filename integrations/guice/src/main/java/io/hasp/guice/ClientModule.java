package io.hasp.guice;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.binder.ScopedBindingBuilder;
import io.hasp.LockClient;

/** Exposes one client, and none of the bindings that make it. */
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
        // A lazy client is not a singleton of Guice's, because those are eager in production; the connection opens one
        // client anyway.
        ScopedBindingBuilder binding = bind(client).toProvider(connection);
        if (eagerly) {
            binding.asEagerSingleton();
        }
        expose(client);
    }
}
