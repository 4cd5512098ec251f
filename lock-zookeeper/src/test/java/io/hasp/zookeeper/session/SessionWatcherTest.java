package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.zookeeper.ScriptedHandles;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many waiters share a watch: each is notified of its event, even if another one throws. */
class SessionWatcherTest {
    private static final int LISTENERS = 20;
    private static final String FOLDER = "/hasp/locks/shared";
    private static final String DELETED = FOLDER + "/deleted";
    private static final String CHANGED = FOLDER + "/changed";

    @RegisterExtension
    static final ScriptedHandles HANDLES = new ScriptedHandles(1);

    private final AtomicInteger told = new AtomicInteger();
    private SessionWatcher watcher;

    @BeforeEach
    void begin() {
        watcher = new SessionWatcher(HANDLES.first());
    }

    @Test
    void a_waiter_that_breaks_off_when_it_is_told_leaves_the_others_their_news() {
        for (int i = 0; i < LISTENERS; i++) {
            watcher.add(DELETED, new BreaksOff());
            watcher.add(CHANGED, new BreaksOff());
        }

        assertThat(toldOf(Watcher.Event.EventType.NodeDeleted, DELETED)).isEqualTo(LISTENERS);
        assertThat(toldOf(Watcher.Event.EventType.NodeDataChanged, CHANGED)).isEqualTo(LISTENERS);
    }

    @Test
    void a_holder_that_breaks_off_when_it_is_recalled_leaves_the_others_their_news() {
        for (int i = 0; i < LISTENERS; i++) {
            watcher.addToFolder(FOLDER, new BreaksOff()::breakOff);
        }

        assertThat(toldOf(Watcher.Event.EventType.NodeChildrenChanged, FOLDER)).isEqualTo(LISTENERS);
    }

    private int toldOf(Watcher.Event.EventType type, String path) {
        told.set(0);
        try {
            watcher.process(new WatchedEvent(type, Watcher.Event.KeeperState.SyncConnected, path));
        } catch (OutOfMemoryError planted) {
            assertThat(planted).hasMessage("planted");
        }
        return told.get();
    }

    private final class BreaksOff implements SessionWatcher.Listener {
        @Override
        public void deleted(String path) {
            breakOff();
        }

        @Override
        public void watchLost(String path) {
            breakOff();
        }

        private void breakOff() {
            told.incrementAndGet();
            throw new OutOfMemoryError("planted");
        }
    }
}
