package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperPlace;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * The least that ZooKeeper can do and call it a lock: create an ephemeral node, delete it, on the plain handle. Whoever
 * finds the node there tries again a little later.
 *
 * @param uri of the servers, as Hasp takes it
 * @param session the session timeout
 */
record ZooKeeperFloor(String uri, Duration session) implements LockSubject {
    static final Duration USUAL_SESSION = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(15);

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
        ZooKeeperPlace place = ZooKeeperPlace.of(uri);
        ZooKeeper handle = place.handle(session, PATIENCE);
        try {
            place.make(handle);
            return new User(handle, place);
        } catch (KeeperException e) {
            handle.close();
            throw e;
        }
    }

    private record User(ZooKeeper handle, ZooKeeperPlace place) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            String path = place.path() + "/floor-" + lock;
            return Retry.until(wait, () -> created(path))
                    ? Optional.of(() -> {
                        handle.delete(path, -1);
                        return true;
                    })
                    : Optional.empty();
        }

        private boolean created(String path) throws KeeperException, InterruptedException {
            try {
                handle.create(path, new byte[0], place.acl(), CreateMode.EPHEMERAL);
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
