package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
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
 * The least that ZooKeeper can do and call it a lock: create an ephemeral node, delete it, on the plain handle. Whoever
 * finds the node there tries again a little later.
 *
 * @param connect the ensemble's connect string
 */
record ZooKeeperFloor(String connect) implements LockSubject {

    @Override
    public String name() {
        return "floor-zookeeper";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper handle = new ZooKeeper(connect, 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(15, TimeUnit.SECONDS)) {
            handle.close();
            throw new IllegalStateException("no connection to ZooKeeper at " + connect + " within 15 s");
        }
        return new User(handle);
    }

    private record User(ZooKeeper handle) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            String path = "/floor-" + lock;
            return Retry.until(wait, () -> created(path))
                    ? Optional.of(() -> {
                        handle.delete(path, -1);
                        return true;
                    })
                    : Optional.empty();
        }

        private boolean created(String path) throws KeeperException, InterruptedException {
            try {
                handle.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        }

        @Override
        public void close() throws InterruptedException {
            handle.close();
        }
    }
}
