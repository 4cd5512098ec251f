package io.hasp.redis;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.servers.ClusterServers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A cluster for all test classes that leave it as it was, empty for each: to start one takes seconds. No node of it is ever taken for
 * down. It is stopped after the last test.
 */
final class SharedCluster implements BeforeAllCallback {
    private static final Duration NEVER = Duration.ofMinutes(10);

    private final boolean replicas;
    private @Nullable ClusterServers servers;

    private SharedCluster(boolean replicas) {
        this.replicas = replicas;
    }

    /** A replica for each of three masters. */
    static SharedCluster withReplicas() {
        return new SharedCluster(true);
    }

    /** Three masters alone. */
    static SharedCluster ofMasters() {
        return new SharedCluster(false);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ClusterServers started = context.getRoot()
                .getStore(Namespace.create(SharedCluster.class))
                .getOrComputeIfAbsent(replicas, with -> ClusterServers.start(with, NEVER), ClusterServers.class);
        started.masters().forEach(master -> master.command("FLUSHALL"));
        servers = started;
    }

    ClusterServers servers() {
        return requireNonNull(servers);
    }
}
