package io.hasp.guice;

import com.google.inject.Provider;
import io.hasp.ElectionOptions;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import org.jspecify.annotations.Nullable;

/** Makes one candidate of one injector on first use. Not a singleton of Guice's, because those are eager in production. */
final class Candidacy implements Provider<LeaderElection> {
    private final Provider<LockClient> client;
    private final String name;
    private final ElectionOptions options;
    private @Nullable LeaderElection election;

    Candidacy(Provider<LockClient> client, String name, ElectionOptions options) {
        this.client = client;
        this.name = name;
        this.options = options;
    }

    @Override
    public synchronized LeaderElection get() {
        if (election == null) {
            election = client.get().election(name, options);
        }
        return election;
    }
}
