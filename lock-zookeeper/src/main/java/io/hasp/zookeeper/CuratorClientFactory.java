package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.ClientThreads;
import io.hasp.zookeeper.session.TimestampingZooKeeperFactory;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** Starts and closes the Curator client that a configuration describes. */
final class CuratorClientFactory {
    private static final int PAUSE_MILLIS = 100;

    /**
     * The time limit for closing a client that never connected. ZooKeeper's own close waits for a silent server as long as a session lasts.
     */
    private static final Duration CLOSE_LIMIT_UNCONNECTED = Duration.ofMillis(300);

    /** In bytes. An answer above the limit ends the connection, and again whenever it is asked for: all locks would be lost. */
    static final int LARGEST_ANSWER = 64 * 1024 * 1024;

    private CuratorClientFactory() {}

    /**
     * A connected client. Fails if no server answers in time, and closes the client then, if need be in the background.
     *
     * @param factory creates its handles
     */
    static CuratorFramework open(ZooKeeperConfig config, TimestampingZooKeeperFactory factory) {
        return opened(config, builder(config, factory, clientConfig(config)).build());
    }

    /** Like {@link #open}, for blocking calls, which end with the command timeout. The server may be read-only. */
    static CuratorFramework openForDiagnosis(ZooKeeperConfig config, TimestampingZooKeeperFactory factory) {
        ZKClientConfig client = clientConfig(config);
        client.setProperty(
                ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT,
                String.valueOf(config.locks().commandTimeout().toMillis()));
        return opened(
                config, builder(config, factory, client).canBeReadOnly(true).build());
    }

    private static CuratorFramework opened(ZooKeeperConfig config, CuratorFramework client) {
        client.start();
        boolean connected = false;
        try {
            connected =
                    client.blockUntilConnected((int) config.connectionTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ZooKeeperFailures.notSent("interrupted while connecting to ZooKeeper at " + config.servers(), e);
        } finally {
            if (!connected) {
                close(client, CLOSE_LIMIT_UNCONNECTED);
            }
        }
        if (!connected) {
            throw unreachable(config);
        }
        return client;
    }

    /** Ends the session. Waits at most this long: with a silent server, closing takes two thirds of the session timeout. */
    static void close(CuratorFramework client, Duration limit) {
        Thread closing = ClientThreads.daemon(client::close, "hasp-zookeeper");
        closing.start();
        try {
            closing.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static BackendFailure unreachable(ZooKeeperConfig config) {
        return ZooKeeperFailures.notSent(
                "no ZooKeeper server of " + config.servers() + " answered within "
                        + config.connectionTimeout().toMillis() + " ms",
                null);
    }

    private static CuratorFrameworkFactory.Builder builder(
            ZooKeeperConfig config, TimestampingZooKeeperFactory factory, ZKClientConfig clientConfig) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(config.servers())
                .sessionTimeoutMs((int) config.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) config.connectionTimeout().toMillis())
                // Curator requires one, for requests of its own that are not used here.
                .retryPolicy(new RetryOneTime(PAUSE_MILLIS))
                // The URI lists the servers; tracking would set a watch on the ensemble's configuration.
                .ensembleTracker(false)
                .threadFactory(task -> ClientThreads.daemon(task, "hasp-zookeeper"))
                .zookeeperFactory(factory)
                .zkClientConfig(clientConfig);
        config.present()
                .ifPresent(provider -> builder.zookeeperFactory(
                        new AuthenticatingZooKeeperFactory(factory, provider, config.servers())));
        return builder;
    }

    private static ZKClientConfig clientConfig(ZooKeeperConfig config) {
        ZKClientConfig client = new ZKClientConfig();
        client.setProperty(ZKClientConfig.JUTE_MAXBUFFER, String.valueOf(LARGEST_ANSWER));
        config.tls().ifPresent(tls -> {
            client.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            client.setProperty(
                    ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
            store(client, "trustStore", tls.trustStore().orElse(null), tls.trustStorePassword());
            store(client, "keyStore", tls.keyStore().orElse(null), tls.keyStorePassword());
        });
        return client;
    }

    private static void store(ZKClientConfig client, String which, @Nullable Path path, String password) {
        if (path != null) {
            client.setProperty("zookeeper.ssl." + which + ".location", path.toString());
            client.setProperty("zookeeper.ssl." + which + ".password", password);
        }
    }
}
