package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** Starts the Curator client that a configuration describes. */
final class Connection {
    private static final int PAUSE_MILLIS = 100;

    /** For a client that never connected: ZooKeeper's own waits for a silent server as long as for a session. */
    private static final Duration FAREWELL = Duration.ofMillis(300);

    private Connection() {}

    /**
     * A connected client. Fails if no server answers in time; what was begun ends then, in the background if need be.
     *
     * @param handles makes its handles
     */
    static CuratorFramework open(ZooKeeperConfig config, Handles handles) {
        CuratorFramework client = unstarted(config, handles);
        client.start();
        boolean connected = false;
        try {
            connected =
                    client.blockUntilConnected((int) config.connectionTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.notSent("interrupted while connecting to ZooKeeper at " + config.servers(), e);
        } finally {
            if (!connected) {
                close(client, FAREWELL);
            }
        }
        if (!connected) {
            throw unreachable(config);
        }
        return client;
    }

    /**
     * Ends the session. Waits at most this long: a server that has fallen silent would keep the caller for two thirds of the
     * session timeout.
     */
    static void close(CuratorFramework client, Duration limit) {
        Thread closing = thread(client::close);
        closing.start();
        try {
            closing.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static BackendFailure unreachable(ZooKeeperConfig config) {
        return Failures.notSent(
                "no ZooKeeper server of " + config.servers() + " answered within "
                        + config.connectionTimeout().toMillis() + " ms",
                null);
    }

    private static CuratorFramework unstarted(ZooKeeperConfig config, Handles handles) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(config.servers())
                .sessionTimeoutMs((int) config.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) config.connectionTimeout().toMillis())
                // For Curator's own requests, of which there are none here; but it asks for one.
                .retryPolicy(new RetryOneTime(PAUSE_MILLIS))
                // The servers of the URI count; tracking would put a watch on the ensemble's configuration.
                .ensembleTracker(false)
                .threadFactory(Connection::thread)
                .zookeeperFactory(handles)
                .zkClientConfig(clientConfig(config));
        config.digest()
                .ifPresent(digest -> builder.authorization(List.of(new AuthInfo(
                        "digest", (digest.user() + ":" + digest.password()).getBytes(StandardCharsets.UTF_8)))));
        return builder.build();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "hasp-zookeeper");
        thread.setDaemon(true);
        return thread;
    }

    private static ZKClientConfig clientConfig(ZooKeeperConfig config) {
        ZKClientConfig client = new ZKClientConfig();
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
