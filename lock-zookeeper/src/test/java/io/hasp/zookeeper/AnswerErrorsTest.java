package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Memory is short for a moment, while a request is sent or its answer is noted: the node can be removed in any case. Its client lives
 * on, so the lock would not come back otherwise.
 */
class AnswerErrorsTest {
    private static final int MOMENTS = 20;
    private static final int TRIES = 3;
    private static final LockName LOCK = new LockName("short-of-memory");

    private static ServerSocket silent;
    private static ScriptedHandle handle;

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

    @Test
    void a_node_can_be_removed_whenever_memory_was_short() {
        for (Share share : new Share[] {Share.EXCLUSIVE, Share.READ, new Share(1, 2)}) {
            for (int moment = 1; moment <= MOMENTS; moment++) {
                assertThat(removedAfterErrorAt(moment, share))
                        .as("the error came at moment %d", moment)
                        .isTrue();
            }
        }
    }

    private static boolean removedAfterErrorAt(int moment, Share share) {
        ScriptedFolder folder = new ScriptedFolder();
        handle.begin(folder);
        ShortMemory clock = new ShortMemory(moment);
        Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, clock, OptionalLong.of(System.nanoTime()));
        Claim claim = Claim.renewedLease(LOCK, new HolderId("holder"), Duration.ofMinutes(1), true)
                .withShare(share);
        LockNode node = new LockNode(LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, LOCK), claim, session, () -> session);
        CompletableFuture<EntryResult> entered = node.attempt();
        settle();
        assertThat(entered).as("the attempt is over").isDone();
        for (int i = 0; i < TRIES; i++) {
            CompletableFuture<Released> removed = node.removal().attempt();
            settle();
            if (removed.isDone() && !removed.isCompletedExceptionally()) {
                return folder.names().isEmpty();
            }
        }
        return false;
    }

    /** The event thread goes on after an error. */
    private static void settle() {
        boolean more = true;
        while (more) {
            try {
                more = handle.serve() || handle.deliver();
            } catch (OutOfMemoryError planted) {
                assertThat(planted).hasMessage("planted");
            }
        }
    }

    /** A clock whose n-th call finds no memory. Tasks never run. */
    private static final class ShortMemory implements Timing {
        private int left;

        ShortMemory(int moment) {
            left = moment;
        }

        @Override
        public long nanoTime() {
            count();
            return System.nanoTime();
        }

        private void count() {
            if (--left == 0) {
                throw new OutOfMemoryError("planted");
            }
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            count();
            return () -> {};
        }
    }
}
