package io.hasp.zookeeper.recipe;

import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.EarlierNodes;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionWatcher;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The watches of a node that waits for a share: on the {@linkplain EarlierNodes#toWatch nodes before it} that leave it no room, and
 * on the node itself where that may save a listing. Thread-safe; requests and signals are sent outside the monitor.
 *
 * <p>While all watched nodes exist, the node is not entitled. So no wake-up is lost, and a node that leaves wakes only waiters that it
 * blocked. What a deletion proves without a listing needs the watch on the own node (an administrator may have deleted it earlier) and an
 * unchanged connection since the listing, as for {@link PredecessorWatch}.
 */
final class EarlierNodesWatch implements QueueWatch, SessionWatcher.Listener {
    private enum State {
        /** The request is under way. */
        ASKED,
        SET,
        /** The watches to set at the next listing. */
        UNSET,
        /** The client may not watch the node. */
        REFUSED,
        GONE
    }

    /** A watched node, which is in the way. */
    private static final class Blocker {
        private final NodeName name;
        private State state;

        private Blocker(NodeName name, State state) {
            this.name = name;
            this.state = state;
        }
    }

    private final Session session;
    private final LockFolder folder;
    private final String own;
    private final Consumer<Signal> signals;

    private final Map<String, Blocker> blockers = new LinkedHashMap<>();
    private EarlierNodes earlier = new EarlierNodes(List.of(), Share.EXCLUSIVE);
    private State ownState = State.UNSET;
    private boolean stopped;
    private int changesAtListing;

    /**
     * Creates the watch of a node.
     *
     * @param own the node's path
     * @param signals gets {@link Signal#MAYBE_FREE} when there may be room, {@link Signal#LOST} when the node itself is gone
     */
    EarlierNodesWatch(Session session, LockFolder folder, String own, Consumer<Signal> signals) {
        this.session = session;
        this.folder = folder;
        this.own = own;
        this.signals = signals;
    }

    /** Watches what a listing showed to be in the way. What another waiter of the session watches or asks for costs no request. */
    void watch(EarlierNodes listed) {
        Map<String, SessionWatcher.Watched> toAsk = new LinkedHashMap<>();
        synchronized (this) {
            if (stopped) {
                return;
            }
            earlier = listed;
            changesAtListing = session.watcher().connectionChanges();
            List<NodeName> chosen = listed.toWatch();
            if (ownState == State.UNSET && listed.leaveRoomAfter(chosen)) {
                ownState = add(own, toAsk);
            }
            replaceWatched(chosen, toAsk);
        }
        toAsk.forEach((path, watched) -> {
            if (watched.ask(code -> answered(path, code))) {
                send(path, watched);
            }
        });
    }

    private void send(String path, SessionWatcher.Watched watched) {
        try {
            session.watch(path, watched::answered);
        } catch (RuntimeException | Error notSent) {
            watched.answered(Code.SYSTEMERROR);
            throw notSent;
        }
    }

    private State add(String path, Map<String, SessionWatcher.Watched> toAsk) {
        SessionWatcher.Watched watched = session.watcher().add(path, this);
        if (watched.isSet()) {
            return State.SET;
        }
        toAsk.put(path, watched);
        return State.ASKED;
    }

    /** Keeps the watches on the chosen nodes, ends the others, and adds those that are still missing. */
    private void replaceWatched(List<NodeName> chosen, Map<String, SessionWatcher.Watched> toAsk) {
        Map<String, Blocker> former = new HashMap<>(blockers);
        blockers.clear();
        for (NodeName name : chosen) {
            String path = folder.child(name.text());
            Blocker kept = former.remove(path);
            boolean missing = kept == null || kept.state == State.UNSET || kept.state == State.GONE;
            blockers.put(path, missing ? new Blocker(name, add(path, toAsk)) : kept);
        }
        former.forEach(this::unwatch);
    }

    private void unwatch(String path, Blocker node) {
        if (node.state != State.GONE && node.state != State.REFUSED) {
            session.watcher().unwatch(path, this);
        }
    }

    private void ownAnswered(Code code) {
        synchronized (this) {
            if (code == Code.OK) {
                ownState = ownState == State.ASKED ? State.SET : ownState;
                return;
            }
            session.watcher().remove(own, this);
            ownState = code == Code.NONODE ? State.GONE : State.UNSET;
        }
        if (code == Code.NONODE) {
            signals.accept(Signal.LOST);
        }
    }

    private void answered(String path, Code code) {
        if (path.equals(own)) {
            ownAnswered(code);
        } else {
            blockerAnswered(path, code);
        }
    }

    /** A later listing may have made the node irrelevant. */
    private void blockerAnswered(String path, Code code) {
        synchronized (this) {
            Blocker node = blockers.get(path);
            State answer = state(code);
            if (answer != State.SET) {
                session.watcher().remove(path, this);
            }
            if (answer == State.REFUSED) {
                session.watcher().refused(path, code);
            }
            if (node == null || node.state != State.ASKED) {
                return;
            }
            node.state = answer;
            if (answer == State.SET) {
                return;
            }
        }
        signalUnlessBlocked();
    }

    private static State state(Code code) {
        if (code == Code.OK) {
            return State.SET;
        }
        if (code == Code.NONODE) {
            return State.GONE;
        }
        return ZooKeeperFailures.outcome(code) == Outcome.NOT_APPLIED ? State.REFUSED : State.UNSET;
    }

    private void signalUnlessBlocked() {
        synchronized (this) {
            if (stopped || earlier.blockedBy(names(State.SET, State.ASKED))) {
                return;
            }
        }
        signals.accept(Signal.MAYBE_FREE);
    }

    private List<NodeName> names(State... states) {
        List<State> wanted = List.of(states);
        return blockers.values().stream()
                .filter(node -> wanted.contains(node.state))
                .map(node -> node.name)
                .toList();
    }

    @Override
    public synchronized boolean provesGranted() {
        return ownState == State.SET
                && changesAtListing == session.watcher().connectionChanges()
                && earlier.leaveRoomAfter(names(State.GONE));
    }

    @Override
    public synchronized boolean unwatchable() {
        return !names(State.REFUSED).isEmpty();
    }

    @Override
    public synchronized boolean undisturbed() {
        return !blockers.isEmpty()
                && ownState != State.GONE
                && blockers.values().stream().allMatch(node -> node.state == State.SET || node.state == State.REFUSED);
    }

    @Override
    public synchronized boolean incomplete() {
        return !blockers.isEmpty() && !earlier.blockedBy(earlier.toWatch());
    }

    @Override
    public void deleted(String path) {
        if (path.equals(own)) {
            synchronized (this) {
                ownState = State.GONE;
            }
            signals.accept(Signal.LOST);
        } else {
            changed(path, State.GONE);
        }
    }

    /** The waiter lists again, which sets the watch again. */
    @Override
    public void watchLost(String path) {
        if (path.equals(own)) {
            synchronized (this) {
                ownState = State.UNSET;
            }
        } else {
            changed(path, State.UNSET);
        }
    }

    private void changed(String path, State now) {
        synchronized (this) {
            Blocker node = blockers.get(path);
            if (node == null) {
                return;
            }
            node.state = now;
        }
        signalUnlessBlocked();
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        blockers.forEach(this::unwatch);
        blockers.clear();
        session.watcher().remove(own, this);
    }
}
