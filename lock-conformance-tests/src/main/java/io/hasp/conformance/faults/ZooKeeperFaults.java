package io.hasp.conformance.faults;

import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.Server;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;

/** What can be broken around a lock on one ZooKeeper server, or on an ensemble as a whole. */
public final class ZooKeeperFaults implements Faults {
    private final Server server;
    private final String connectString;
    private final UnaryOperator<String> folderOf;

    /**
     * Faults of one server or ensemble.
     *
     * @param server what is paused, killed and restarted
     * @param connectString where it listens
     * @param folderOf tells under which path the nodes of a lock's holder and waiters are
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
                throw new IllegalStateException("there is no node under '" + folder + "' to delete");
            }
            for (String node : nodes) {
                admin.delete(folder + "/" + node, -1);
            }
        } finally {
            admin.close();
        }
    }

    /** {@inheritDoc} Here: nodes under the lock's folder. */
    @Override
    public int present(String lock) throws Exception {
        String node = "\t" + folderOf.apply(lock) + "/";
        return (int) ask("dump").filter(line -> line.startsWith(node)).count();
    }

    /** {@inheritDoc} Here: packets. */
    @Override
    public long received() throws Exception {
        return ask("mntr")
                .filter(line -> line.startsWith("zk_packets_received\t"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
                .sum();
    }

    /** One of ZooKeeper's four-letter questions, asked of every server. */
    private Stream<String> ask(String question) throws Exception {
        StringBuilder answers = new StringBuilder();
        for (String address : connectString.split(",", -1)) {
            String[] hostAndPort = address.split(":", -1);
            answers.append(
                    FourLetterWordMain.send4LetterWord(hostAndPort[0], Integer.parseInt(hostAndPort[1]), question));
        }
        return answers.toString().lines();
    }
}
