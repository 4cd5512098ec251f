package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * The least work that can be called a lock on ZooKeeper: create an ephemeral node and delete it, on the plain handle. A
 * thread that finds the node retries a little later.
 *
 * @param uri of the servers, as Hasp takes it
 * @param session the session timeout
 */
record MinimalZooKeeperLock(String uri, Duration session) implements LockSubject {
    static final Duration USUAL_SESSION = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "baseline-zookeeper";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws Exception {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        ZooKeeper handle = endpoint.handle(session, PATIENCE);
        try {
            endpoint.create(handle);
            return new User(handle, endpoint);
        } catch (KeeperException e) {
            handle.close();
            throw e;
        }
    }

    private record User(ZooKeeper handle, ZooKeeperEndpoint endpoint) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            String path = endpoint.path() + "/baseline-" + lock;
            return PollingWait.until(wait, () -> created(path))
                    ? Optional.of(() -> {
                        handle.delete(path, -1);
                        return true;
                    })
                    : Optional.empty();
        }

        private boolean created(String path) throws KeeperException, InterruptedException {
            try {
                handle.create(path, new byte[0], endpoint.acl(), CreateMode.EPHEMERAL);
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
