package io.hasp.conformance.faults;

import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.Server;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.data.Stat;

/** Faults of one ZooKeeper server, or of an ensemble as a whole. */
public final class ZooKeeperFaults implements Faults {
    private final Server server;
    private final String connectString;
    private final UnaryOperator<String> folderOf;

    /**
     * Creates the faults of one server or ensemble.
     *
     * @param server the server to pause, kill and restart
     * @param connectString the server's addresses
     * @param folderOf maps a lock's name to the path above the nodes of its holder and waiters
     */
    public ZooKeeperFaults(Server server, String connectString, UnaryOperator<String> folderOf) {
        this.server = server;
        this.connectString = connectString;
        this.folderOf = folderOf;
    }

    @Override
    public Server server() {
        return server;
    }

    /** {@inheritDoc} Here: all nodes under the lock's folder, so its waiters' as well. */
    @Override
    public void deleteLock(String lock) throws Exception {
        forEachNode(lock, (admin, node) -> admin.delete(node, -1));
    }

    @Override
    public void endSessions(String lock) throws Exception {
        Set<Long> owners = new HashSet<>();
        forEachNode(lock, (admin, node) -> {
            Stat stat = admin.exists(node, false);
            if (stat != null) {
                owners.add(stat.getEphemeralOwner());
            }
        });
        for (long owner : owners) {
            ZooKeeperSessions.expire(connectString, owner, ZooKeeperSessions.passwordOf(owner));
        }
    }

    private interface Work {
        void on(ZooKeeper admin, String node) throws Exception;
    }

    private void forEachNode(String lock, Work work) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper admin = new ZooKeeper(connectString, (int) Timings.longWait().toMillis(), event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        try {
            if (!connected.await(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("no connection to " + connectString);
            }
            String folder = folderOf.apply(lock);
            List<String> nodes = admin.getChildren(folder, false);
            if (nodes.isEmpty()) {
                throw new IllegalStateException("there is no node under '" + folder + "'");
            }
            for (String node : nodes) {
                work.on(admin, folder + "/" + node);
            }
        } finally {
            admin.close();
        }
    }

    /** {@inheritDoc} Counts the nodes under the lock's folder, on the server with the most recent state. */
    @Override
    public int present(String lock) throws Exception {
        String node = "\t" + folderOf.apply(lock) + "/";
        int most = 0;
        for (String address : addresses()) {
            int here = (int)
                    ask(address, "dump").filter(line -> line.startsWith(node)).count();
            most = Math.max(most, here);
        }
        return most;
    }

    /** {@inheritDoc} Here: nodes, all servers' together. */
    @Override
    public long kept() throws Exception {
        return monitored("zk_znode_count");
    }

    /** {@inheritDoc} Here: packets. */
    @Override
    public long received() throws Exception {
        return monitored("zk_packets_received");
    }

    /** A figure of the servers' own, added up over all. */
    private long monitored(String figure) throws Exception {
        long sum = 0;
        for (String address : addresses()) {
            sum += ask(address, "mntr")
                    .filter(line -> line.startsWith(figure + "\t"))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
                    .sum();
        }
        return sum;
    }

    private String[] addresses() {
        return connectString.split(",", -1);
    }

    /** One of ZooKeeper's four-letter questions. */
    private static Stream<String> ask(String address, String question) throws Exception {
        String[] hostAndPort = address.split(":", -1);
        return FourLetterWordMain.send4LetterWord(hostAndPort[0], Integer.parseInt(hostAndPort[1]), question)
                .lines();
    }
}
