package io.hasp.zookeeper.session;

import io.hasp.conformance.history.LossReport;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.spi.LockName;
import io.hasp.zookeeper.ZooKeeperLocks;
import io.hasp.zookeeper.recipe.LockFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the nodes of a torture's locks again and again, directly at the servers. It knows which node the servers had at which moment, and
 * for how long they were silent. Each server is read by a client of its own, because a client notices late that its server stands still. A
 * node is there as long as its session. Thread-safe.
 */
public final class SessionWitness implements AutoCloseable {
    private static final int SESSION_MILLIS = 60_000;
    private static final int PUBLIC_BITS = 8;
    private static final long PAUSE_MILLIS = 20;

    private final List<ZooKeeper> clients;
    /** The tokens of all nodes at the end of each look. */
    private final NavigableMap<Long, Set<Long>> looks = new ConcurrentSkipListMap<>();

    private final Map<String, Long> tokens = new ConcurrentHashMap<>();
    private final List<Thread> threads;
    private volatile boolean over;

    private SessionWitness(List<ZooKeeper> clients) {
        this.clients = clients;
        this.threads = clients.stream()
                .map(client -> new Thread(() -> look(client), "session-witness"))
                .toList();
        threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
    }

    public static SessionWitness of(List<ZooKeeperServer> servers) throws Exception {
        List<ZooKeeper> clients = new ArrayList<>();
        for (ZooKeeperServer server : servers) {
            clients.add(new ZooKeeper(server.connectString(), SESSION_MILLIS, event -> {}));
        }
        return new SessionWitness(clients);
    }

    private void look(ZooKeeper client) {
        try {
            while (!over) {
                try {
                    lookOnce(client);
                } catch (KeeperException silent) {
                    // The next look is late.
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS * clients.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks a quorum first: a single server could answer from what it has. */
    private void lookOnce(ZooKeeper client) throws KeeperException, InterruptedException {
        client.multi(List.of(Op.check("/", -1)));
        Set<Long> present = new HashSet<>();
        for (String lock : HalfOpenTorture.locks()) {
            String folder = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName(lock))
                    .path();
            try {
                for (String child : client.getChildren(folder, false)) {
                    present.add(token(client, folder + "/" + child));
                }
            } catch (KeeperException.NoNodeException nobodyAsked) {
                // There is no folder.
            }
        }
        looks.put(System.nanoTime(), present);
    }

    /** Zero for a node that is gone. */
    private long token(ZooKeeper client, String path) throws KeeperException, InterruptedException {
        Long known = tokens.get(path);
        if (known == null) {
            Stat stat = client.exists(path, false);
            known = stat == null ? 0 : stat.getCzxid();
            tokens.put(path, known);
        }
        return known;
    }

    /** True if the servers had the holder's node in the last look before that moment. */
    public boolean had(long token, long moment) {
        Map.Entry<Long, Set<Long>> before = looks.floorEntry(moment);
        return before != null && before.getValue().contains(token >> PUBLIC_BITS);
    }

    /** When the servers had the holder's node for the last time, and were seen without it for the first time, around a loss. */
    public String lastSeen(long token, long lost) {
        Long last = null;
        Long gone = null;
        for (Map.Entry<Long, Set<Long>> look : looks.entrySet()) {
            if (look.getValue().contains(token >> PUBLIC_BITS)) {
                last = look.getKey();
                gone = null;
            } else if (last != null && gone == null) {
                gone = look.getKey();
            }
        }
        if (last == null) {
            return "no look at the servers found its node";
        }
        return "the servers had its node for the last time " + LossReport.before(last, lost)
                + (gone == null ? "" : " and had it no longer " + LossReport.before(gone, lost));
    }

    /** The longest time without a look that touches the time before that moment. */
    public Duration longestSilence(Duration time, long moment) {
        Long before = looks.floorKey(moment - time.toNanos());
        long last = before == null ? moment - time.toNanos() : before;
        long longest = 0;
        for (long look : looks.subMap(last, false, moment, true).keySet()) {
            longest = Math.max(longest, look - last);
            last = look;
        }
        return Duration.ofNanos(Math.max(longest, moment - last));
    }

    @Override
    public String toString() {
        return looks.size() + " looks at the servers";
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
        for (ZooKeeper client : clients) {
            client.close();
        }
    }
}
