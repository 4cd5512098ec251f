package io.hasp.zookeeper.mutants;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * ZooKeeper's own recipe for a lock, with polls instead of watches. When the connection breaks it takes a new session and
 * looks for its node by the id in the node's name, as clients do that protect themselves from creating two.
 */
class ReconnectingRecipe implements LockSubject {
    private static final Duration SESSION = Timings.units(30);
    private static final Duration POLL = Timings.units(0.2);
    private static final String ROOT = "/recipe";

    private final String address;

    ReconnectingRecipe(String address) {
        this.address = address;
    }

    static String folder(String lock) {
        return ROOT + "/" + lock;
    }

    @Override
    public final String name() {
        return getClass().getSimpleName();
    }

    @Override
    public final Set<Claimed> claims() {
        return Set.of();
    }

    /** The session timeout, and the ticks at which the server checks it. */
    @Override
    public final Duration silence() {
        return SESSION.plus(Timings.units(10));
    }

    /** True if a node with a client's id belongs to the client's present session. */
    boolean own(Stat node, long session) {
        return node.getEphemeralOwner() == session;
    }

    @Override
    public final LockUser open() throws IOException {
        return new User();
    }

    private final class User implements LockUser {
        private ZooKeeper client;

        User() throws IOException {
            client = connect();
        }

        private ZooKeeper connect() throws IOException {
            return new ZooKeeper(address, (int) SESSION.toMillis(), event -> {});
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            String id = UUID.randomUUID().toString();
            long end = System.nanoTime() + wait.toNanos();
            while (true) {
                try {
                    String node = findOrCreateNode(lock, id);
                    if (node.equals(first(lock))) {
                        return Optional.of(() -> delete(node));
                    }
                    if (System.nanoTime() - end > 0) {
                        delete(node);
                        return Optional.empty();
                    }
                    Thread.sleep(POLL.toMillis());
                } catch (KeeperException.ConnectionLossException e) {
                    client.getTestable().injectSessionExpiration();
                    client = connect();
                }
            }
        }

        private String findOrCreateNode(String lock, String id) throws Exception {
            for (String node : nodes(lock)) {
                Stat stat = node.contains(id) ? client.exists(node, false) : null;
                if (stat != null && own(stat, client.getSessionId())) {
                    return node;
                }
            }
            return client.create(
                    folder(lock) + "/" + id + "-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        }

        private List<String> nodes(String lock) throws Exception {
            for (String parent : List.of(ROOT, folder(lock))) {
                if (client.exists(parent, false) == null) {
                    try {
                        client.create(parent, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                    } catch (KeeperException.NodeExistsException e) {
                        // Another client has created it.
                    }
                }
            }
            return client.getChildren(folder(lock), false).stream()
                    .map(node -> folder(lock) + "/" + node)
                    .toList();
        }

        private String first(String lock) throws Exception {
            return nodes(lock).stream()
                    .min(Comparator.comparing(node -> node.substring(node.lastIndexOf('-'))))
                    .orElseThrow();
        }

        private boolean delete(String node) throws Exception {
            try {
                client.delete(node, -1);
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        }

        @Override
        public void close() throws InterruptedException {
            client.close();
        }
    }
}
