package io.hasp.zookeeper.mutants;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The lock of ZooKeeper's recipes page: an ephemeral sequential node, the lowest has the lock, the others watch the one
 * before. Each mutant is this lock with one line done wrong.
 */
class RecipeLock implements LockSubject {
    private static final Duration SESSION = Timings.lease().multipliedBy(2);
    private static final Duration TWO_TICKS = Duration.ofSeconds(1);
    private static final int SEQUENCE_DIGITS = 10;

    private final String address;

    RecipeLock(String address) {
        this.address = address;
    }

    static String folder(String lock) {
        return "/recipe-" + lock;
    }

    @Override
    public final String name() {
        return getClass().getSimpleName();
    }

    @Override
    public final Set<Claimed> claims() {
        return Set.of(Claimed.RENEWAL, Claimed.FIFO);
    }

    @Override
    public final Duration silence() {
        return SESSION.plus(TWO_TICKS);
    }

    CreateMode mode() {
        return CreateMode.EPHEMERAL_SEQUENTIAL;
    }

    /** The start of the nodes' names, before the sequence. */
    String prefix() {
        return "n-";
    }

    Comparator<String> order() {
        return Comparator.comparing(node -> node.substring(node.length() - SEQUENCE_DIGITS));
    }

    static ZooKeeper connect(String address, Duration session) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(address, Math.toIntExact(session.toMillis()), event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS)) {
            client.close();
            throw new IllegalStateException("no connection to " + address);
        }
        return client;
    }

    @Override
    public final LockUser open() throws Exception {
        return new User(this, connect(address, SESSION));
    }

    private record User(RecipeLock lock, ZooKeeper client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait) throws Exception {
            long end = System.nanoTime() + wait.toNanos();
            String folder = folder(name);
            try {
                client.create(folder, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                // Another client created it before.
            }
            String node = client.create(folder + "/" + lock.prefix(), new byte[0], Ids.OPEN_ACL_UNSAFE, lock.mode());
            try {
                while (!first(folder, node, end)) {
                    if (System.nanoTime() - end >= 0) {
                        client.delete(node, -1);
                        return Optional.empty();
                    }
                }
            } catch (InterruptedException e) {
                Thread.interrupted();
                client.delete(node, -1);
                throw e;
            }
            return Optional.of(() -> given(node));
        }

        /** Waits for the predecessor if there is one; true if there is none. */
        private boolean first(String folder, String node, long end) throws Exception {
            List<String> line = client.getChildren(folder, false).stream()
                    .sorted(lock.order())
                    .toList();
            int mine = line.indexOf(node.substring(folder.length() + 1));
            if (mine == 0) {
                return true;
            }
            CountDownLatch gone = new CountDownLatch(1);
            if (client.exists(folder + "/" + line.get(mine - 1), event -> gone.countDown()) != null) {
                gone.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            return false;
        }

        private boolean given(String node) throws Exception {
            try {
                client.delete(node, -1);
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        }

        @Override
        public void close() throws Exception {
            client.close();
        }
    }
}
