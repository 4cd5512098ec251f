package io.hasp.zookeeper.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.zookeeper.Probe;
import io.hasp.zookeeper.ServerAdmin;
import io.hasp.zookeeper.ZooKeeperLocks;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One attempt on a real server, through a handle that is closed between the create and the listing. */
class EntryAttemptTest {
    private static final int SESSION_MILLIS = 20_000;
    private static final Claim CLAIM =
            Claim.renewedLease(new LockName("closing"), new HolderId("holder-1"), Probe.LEASE, true);

    @Test
    void a_listing_refused_before_its_create_is_answered_fails_the_attempt_and_the_next_one_succeeds()
            throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockNode node = node(session);

            handle.refuse(Code.CONNECTIONLOSS);
            assertThatThrownBy(() -> node.attempt().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(BackendFailure.class)
                    .hasMessageContaining("closing");

            assertThat(servers.children("closing")).hasSize(1);
            assertThat(node.attempt().get(20, TimeUnit.SECONDS)).isEqualTo(EntryResult.HELD);
            assertThat(node.removal().attempt().get(20, TimeUnit.SECONDS)).isEqualTo(Released.RELEASED);
            assertThat(servers.children("closing")).isEmpty();
        }
    }

    @Test
    void a_listing_refused_beside_a_create_that_found_no_folder_is_ignored() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockFolder folder = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("closing"));
            LockNode node = new LockNode(folder, CLAIM, session, () -> session);

            handle.refuse(Code.CONNECTIONLOSS);

            assertThat(node.attempt().get(20, TimeUnit.SECONDS)).isEqualTo(EntryResult.HELD);
            assertThat(servers.children("closing")).hasSize(1);
        }
    }

    /** The caller has to withdraw then: with the outcome "not applied" the node would stay. */
    @Test
    void a_listing_refused_after_a_create_is_a_failure_with_an_unknown_outcome() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockNode node = node(session);

            handle.refuse(Code.SESSIONMOVED);
            assertThatThrownBy(() -> node.attempt().get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));

            assertThat(servers.children("closing")).hasSize(1);
            assertThat(node.removal().attempt().get(20, TimeUnit.SECONDS)).isEqualTo(Released.NOT_HELD);
            assertThat(servers.children("closing")).isEmpty();
        }
    }

    @Test
    void an_error_after_the_create_leaves_no_node_once_the_node_is_removed() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockNode node = node(session);

            handle.broken.set(true);
            assertThatThrownBy(() -> node.attempt().get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LinkageError.class);

            assertThat(node.removal().attempt().get(20, TimeUnit.SECONDS)).isEqualTo(Released.NOT_HELD);
            assertThat(servers.children("closing")).isEmpty();
        }
    }

    @Test
    void an_error_right_after_the_create_was_sent_leaves_no_node_once_the_node_is_removed() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockNode node = node(session);

            handle.brokenAfterCreate.set(true);
            assertThatThrownBy(() -> node.attempt().get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LinkageError.class);

            assertThat(node.state()).isEqualTo(LockNode.State.UNKNOWN);
            assertThat(node.removal().attempt().get(20, TimeUnit.SECONDS)).isEqualTo(Released.NOT_HELD);
            assertThat(servers.children("closing")).isEmpty();
        }
    }

    @Test
    void a_token_floor_is_raised_although_another_client_creates_the_root_between_two_tries() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                Closing handle = Closing.connect(server)) {
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            LockFolder folder = new LockFolder(new LockName("closing"), "/root/closing");
            CompletableFuture<?> answered = handle.afterTheNextTransaction(() ->
                    servers.client.create("/root", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));

            new TokenFloorRaise(folder, session, new SessionClock(), Duration.ofSeconds(20))
                    .to(1L << 40)
                    .get(20, TimeUnit.SECONDS);

            assertThat(answered).isCompleted();
            assertThat(servers.client.getChildren("/root/closing", false)).hasSize(1);
        }
    }

    /** In an existing folder. */
    private static LockNode node(Session session) throws Exception {
        LockFolder folder = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("closing"));
        assertThat(folder.createWithParents(session).get(20, TimeUnit.SECONDS)).isEqualTo(Code.OK);
        return new LockNode(folder, CLAIM, session, () -> session);
    }

    /** Answers a listing as a handle that is being closed does: at once, while earlier requests are still under way. */
    private static final class Closing extends ZooKeeper {
        private final AtomicReference<Code> refusal = new AtomicReference<>();
        private final AtomicBoolean broken = new AtomicBoolean();
        private final AtomicBoolean brokenAfterCreate = new AtomicBoolean();
        private volatile @Nullable Callable<?> meanwhile;
        private volatile CompletableFuture<Void> signal = new CompletableFuture<>();

        private Closing(String servers, CountDownLatch connected) throws IOException {
            super(servers, SESSION_MILLIS, (WatchedEvent event) -> connected.countDown());
        }

        static Closing connect(ZooKeeperServer server) throws Exception {
            CountDownLatch connected = new CountDownLatch(1);
            Closing handle = new Closing(server.connectString(), connected);
            assertThat(connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            return handle;
        }

        /** Refuses the next listing with this code. */
        void refuse(Code code) {
            refusal.set(code);
        }

        /** Runs a task when the next transaction is answered, before anything else is sent. */
        CompletableFuture<?> afterTheNextTransaction(Callable<?> task) {
            CompletableFuture<Void> answered = new CompletableFuture<>();
            meanwhile = () -> {
                answered.get(20, TimeUnit.SECONDS);
                return task.call();
            };
            signal = answered;
            return answered;
        }

        @Override
        public void create(
                String path,
                byte[] data,
                List<ACL> acl,
                CreateMode mode,
                AsyncCallback.Create2Callback callback,
                Object context) {
            super.create(path, data, acl, mode, callback, context);
            if (brokenAfterCreate.getAndSet(false)) {
                throw new LinkageError("planted");
            }
        }

        @Override
        public void multi(Iterable<Op> steps, AsyncCallback.MultiCallback then, Object context) {
            Callable<?> first = meanwhile;
            meanwhile = null;
            super.multi(
                    steps,
                    (code, path, asked, results) -> {
                        signal.complete(null);
                        then.processResult(code, path, asked, results);
                    },
                    context);
            if (first != null) {
                try {
                    first.call();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public void getChildren(String path, boolean watch, AsyncCallback.Children2Callback callback, Object context) {
            Code refused = refusal.getAndSet(null);
            if (broken.getAndSet(false)) {
                throw new LinkageError("planted");
            } else if (refused != null) {
                callback.processResult(refused.intValue(), path, context, null, null);
            } else {
                super.getChildren(path, watch, callback, context);
            }
        }
    }
}
