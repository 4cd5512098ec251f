package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lowering breaks off with an error: the next one works, and other locks that are renewed at the same time don't notice. */
class LoweringErrorsTest {
    private static final LockFolder FOLDER = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("permits"));
    private static final long STARTED = System.nanoTime();

    private static ServerSocket silent;
    private static ScriptedHandle handle;

    private final ScriptedFolder folder = new ScriptedFolder();
    private final Map<HolderId, LockNode> nodes = new HashMap<>();
    private Session session;

    @BeforeAll
    static void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        handle = ScriptedHandle.to(silent, 1);
    }

    @AfterAll
    static void close() throws Exception {
        silent.close();
        handle.close();
    }

    @BeforeEach
    void begin() {
        handle.begin(folder);
        session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock(), OptionalLong.of(STARTED));
    }

    @Test
    void a_lowering_after_one_that_broke_off_is_sent() {
        Grant grant = granted("first", 3);
        handle.breakNext(new OutOfMemoryError("planted"));
        renew(lowered(grant));

        List<Renewal> renewals = renew(lowered(grant));

        assertThat(renewals).singleElement().isInstanceOf(Renewal.Renewed.class);
        assertThat(folder.names()).singleElement().asString().startsWith("s.9.1-");
    }

    @Test
    void a_lowering_that_breaks_off_leaves_the_other_renewals_their_answers() {
        Grant lowering = granted("first", 3);
        Grant other = granted("second", 3);
        handle.breakNext(new OutOfMemoryError("planted"));

        List<Renewal> renewals = renew(lowered(lowering), other);

        assertThat(renewals).hasExactlyElementsOfTypes(Renewal.Unknown.class, Renewal.Renewed.class);
    }

    @Test
    void a_node_whose_lowering_broke_off_is_removed() {
        Grant grant = granted("first", 3);
        handle.breakNext(new OutOfMemoryError("planted"));
        renew(lowered(grant));

        node(grant).removal().attempt();
        settle();

        assertThat(folder.names()).isEmpty();
    }

    // Steps

    private Grant granted(String holder, int weight) {
        Claim claim = Claim.renewedLease(FOLDER.lock(), new HolderId(holder), Duration.ofMinutes(1), true)
                .withShare(new Share(weight, 9));
        LockNode node = new LockNode(FOLDER, claim, session, () -> session);
        nodes.put(claim.holder(), node);
        CompletableFuture<EntryResult> entered = node.attempt();
        settle();
        assertThat(entered).isCompletedWithValue(EntryResult.HELD);
        return Grant.of(claim, node.token(), Duration.ofMinutes(1));
    }

    private static Grant lowered(Grant grant) {
        return grant.withClaim(grant.claim().withShare(new Share(1, 9)));
    }

    private LockNode node(Grant grant) {
        return requireNonNull(nodes.get(grant.claim().holder()));
    }

    private List<Renewal> renew(Grant... grants) {
        CompletableFuture<List<Renewal>> renewals = Renewals.of(List.of(grants), nodes::get, session, STARTED);
        settle();
        assertThat(renewals).isCompleted();
        return renewals.join();
    }

    private static void settle() {
        while (handle.serve() || handle.deliver()) {}
    }
}
