package io.hasp.evaluation.servers;

import io.hasp.zookeeper.ZooKeeperConfig;
import io.hasp.zookeeper.ZooKeeperLocks;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * The address of ZooKeeper servers, for libraries other than Hasp: the parts of Hasp's URI.
 *
 * @param config the parts
 */
public record ZooKeeperEndpoint(ZooKeeperConfig config) {
    private static final Duration CONNECTION = Duration.ofSeconds(15);

    /**
     * The servers of a URI.
     *
     * @param uri as Hasp takes it
     * @return their endpoint
     */
    public static ZooKeeperEndpoint of(String uri) {
        return new ZooKeeperEndpoint(ZooKeeperConfig.of(URI.create(uri)));
    }

    /**
     * The path that the URI names.
     *
     * @return an absolute path without a slash at its end
     */
    public String path() {
        String root = config.locks().root();
        return root.substring(0, root.length() - ZooKeeperLocks.DEFAULT_ROOT.length());
    }

    /** Without credentials, for messages. */
    String address() {
        return "zookeeper://" + config.servers();
    }

    /**
     * The access control list of new nodes.
     *
     * @return a list that permits {@code contains(null)}, which ZooKeeper calls
     */
    public List<ACL> acl() {
        return new ArrayList<>(config.locks().acl());
    }

    /**
     * Curator as its getting-started page shows it.
     *
     * @param session the session timeout
     * @return a connected client, closed by the caller
     * @throws InterruptedException if the thread was interrupted
     */
    public CuratorFramework curator(Duration session) throws InterruptedException {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(config.servers())
                .sessionTimeoutMs(Math.toIntExact(session.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(Math.min(CONNECTION.toMillis(), session.toMillis())))
                .retryPolicy(new ExponentialBackoffRetry(1000, 3))
                .aclProvider(new SameAclEverywhere(acl()));
        config.digest().ifPresent(digest -> builder.authorization("digest", credentials()));
        CuratorFramework client = builder.build();
        client.start();
        if (!client.blockUntilConnected(Math.toIntExact(CONNECTION.toSeconds()), TimeUnit.SECONDS)) {
            client.close();
            throw unreachable(CONNECTION);
        }
        return client;
    }

    /**
     * ZooKeeper's own handle, connected.
     *
     * @param session the session timeout
     * @param patience how long to wait for the connection
     * @return the handle, closed by the caller
     * @throws Exception if there is no connection by then
     */
    public ZooKeeper handle(Duration session, Duration patience) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper handle = new ZooKeeper(config.servers(), Math.toIntExact(session.toMillis()), event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        config.digest().ifPresent(digest -> handle.addAuthInfo("digest", credentials()));
        if (!connected.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            handle.close();
            throw unreachable(patience);
        }
        return handle;
    }

    /**
     * Creates the path and its missing parents.
     *
     * @param handle to create it with
     * @throws KeeperException if that is refused
     * @throws InterruptedException if the thread was interrupted
     */
    public void create(ZooKeeper handle) throws KeeperException, InterruptedException {
        String path = path();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            createNode(handle, path.substring(0, end));
        }
        createNode(handle, path);
    }

    private void createNode(ZooKeeper handle, String node) throws KeeperException, InterruptedException {
        if (handle.exists(node, false) == null) {
            try {
                handle.create(node, new byte[0], acl(), CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                // Another client has just created it.
                return;
            }
        }
    }

    private IllegalStateException unreachable(Duration patience) {
        return new IllegalStateException(
                address() + " can't be reached: no connection within " + patience.toSeconds() + " s");
    }

    private byte[] credentials() {
        return config.digest()
                .map(digest -> digest.user() + ":" + digest.password())
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
    }

    private record SameAclEverywhere(List<ACL> acl) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return acl;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return acl;
        }
    }
}
