package io.hasp.zookeeper;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.LockName;
import io.hasp.zookeeper.recipe.LockFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** An administrator of a server: reads and changes its nodes, and reads its counters. */
public final class ServerAdmin implements AutoCloseable {
    private static final int SESSION_MILLIS = 20_000;

    private final ZooKeeperServer server;
    public final ZooKeeper client;

    private ServerAdmin(ZooKeeperServer server, ZooKeeper client) {
        this.server = server;
        this.client = client;
    }

    public static ServerAdmin connect(ZooKeeperServer server) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(server.connectString(), SESSION_MILLIS, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
            client.close();
            throw new AssertionError("no connection to " + server.connectString());
        }
        return new ServerAdmin(server, client);
    }

    public static String folder(String lock) {
        return LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName(lock)).path();
    }

    /** The children of a lock's node; none if it does not exist. */
    public List<String> children(String lock) throws Exception {
        try {
            return client.getChildren(folder(lock), false).stream().sorted().toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    Stat stat(String lock, String child) throws Exception {
        return client.exists(folder(lock) + "/" + child, false);
    }

    String data(String lock, String child) throws Exception {
        return new String(client.getData(folder(lock) + "/" + child, false, null), StandardCharsets.UTF_8);
    }

    public void delete(String lock, String child) throws Exception {
        client.delete(folder(lock) + "/" + child, -1);
    }

    void write(String lock, String child, byte... data) throws Exception {
        client.setData(folder(lock) + "/" + child, data, -1);
    }

    void create(String lock, String child) throws Exception {
        client.create(folder(lock) + "/" + child, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    }

    /** The number of watches at the server, of all sessions. */
    int watches() throws IOException {
        return (int) counter("zk_watch_count");
    }

    /** The number of packets that the server has received, from all clients. */
    public long packets() throws IOException {
        return counter("zk_packets_received");
    }

    private long counter(String name) throws IOException {
        return server.ask("mntr")
                .lines()
                .filter(line -> line.startsWith(name + "\t"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
                .findFirst()
                .orElseThrow();
    }

    /** The number of ephemeral nodes at the server, of all sessions. */
    int ephemerals() throws IOException {
        return server.ask("mntr")
                .lines()
                .filter(line -> line.startsWith("zk_ephemerals_count"))
                .map(line -> Integer.parseInt(line.replaceAll("\\D+", "")))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws Exception {
        client.close();
    }
}
