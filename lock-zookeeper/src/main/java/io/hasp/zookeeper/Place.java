package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of one holder in the line of one lock: at most one node, created in one session and never taken over by
 * another. Attempts of a place follow each other; one that is asked for while another is unanswered is the same attempt.
 * Thread-safe; signals and futures leave outside the monitor.
 */
final class Place {
    /** What an attempt found. */
    enum Standing {
        HELD,
        WAITING,
        /** Others are there, but the order among them can't be told: this holder is never granted. */
        UNORDERED,
        /** The node is not there any more: this holder is never granted. */
        GONE
    }

    /** What is known of the node. */
    enum State {
        /** There is none. */
        NONE,
        /** There may be one: the answer to its creation got lost. */
        UNKNOWN,
        QUEUED,
        HELD,
        /** There was one. */
        VANISHED
    }

    private final Folder folder;
    private final HolderId holder;
    private final Session session;
    private final Departure departure;
    private volatile SignalListener signals = signal -> {};

    private State state = State.NONE;
    private String node = "";
    private long czxid;
    private long floor;
    private boolean leaving;
    private boolean replacing;
    private boolean foreseen;
    private boolean followed;
    private @Nullable Vigil vigil;
    private @Nullable Approach running;

    /**
     * For a holder.
     *
     * @param session where its node is to be
     * @param current the session that Curator has at present, for giving the place up
     */
    Place(Folder folder, HolderId holder, Session session, Supplier<Session> current) {
        this.folder = folder;
        this.holder = holder;
        this.session = session;
        this.departure = new Departure(this, current);
    }

    Departure departure() {
        return departure;
    }

    Session session() {
        return session;
    }

    Folder folder() {
        return folder;
    }

    HolderId holder() {
        return holder;
    }

    void listen(SignalListener listener) {
        signals = listener;
    }

    void signal(Signal signal) {
        signals.onSignal(signal);
    }

    /** The id of the transaction that created the node: the server's own, strictly increasing count. */
    synchronized long transaction() {
        return czxid;
    }

    /** The transaction's id, above the floor that was there when the node came. */
    synchronized long token() {
        return czxid + floor;
    }

    synchronized void above(long known) {
        floor = known;
    }

    /** The node is the first, because it came next after one that was, and is gone. */
    synchronized void follows(LastPlaces.Last last) {
        floor = last.floor();
        followed = true;
    }

    /** Whether the node was the first because of the one before. */
    synchronized boolean followed() {
        return followed;
    }

    /**
     * The node was there until now, and is gone: whoever comes next may conclude from that if it was the first. Not from one on a
     * floor that is too high for any token: whether somebody has removed it only a listing tells.
     */
    void deleted() {
        LastPlaces.Last last;
        synchronized (this) {
            if (state != State.HELD || czxid + floor >= Answers.TOKENS_END) {
                return;
            }
            last = new LastPlaces.Last(Line.sequence(Folder.name(node)), czxid, floor, followed);
        }
        session.lastPlaces().left(folder, last);
    }

    synchronized State state() {
        return state;
    }

    synchronized boolean held() {
        return state == State.HELD && !leaving;
    }

    /** The path of the node, empty if none was created. */
    synchronized String node() {
        return node;
    }

    /** Whether the node is there, as far as is known, and shall stay. */
    synchronized boolean settled() {
        return (state == State.QUEUED || state == State.HELD) && !leaving;
    }

    /** Finds out where this holder stands, creating its node if there is none. Fails with a {@link BackendFailure}. */
    CompletableFuture<Standing> attempt() {
        return attempt(Approach::next);
    }

    /** Like {@link #attempt()}; a new place gives up the node of an earlier holder in the same flight. */
    CompletableFuture<Standing> attemptInPlaceOf(Place earlier) {
        return attempt(approach -> approach.inPlaceOf(earlier));
    }

    /** A transaction is sent that puts somebody's node in the place of this one. */
    synchronized void replacing() {
        replacing = true;
    }

    /** It was refused. */
    synchronized void stays() {
        replacing = false;
    }

    /** Somebody's node has come in the place of this one. */
    void replaced() {
        deleted();
        synchronized (this) {
            leaving = true;
            state = State.VANISHED;
        }
    }

    /** Whether the node, if it is gone, was held until another one of this client came in its place, as far as is known. */
    synchronized boolean givesWay() {
        return replacing;
    }

    private CompletableFuture<Standing> attempt(Consumer<Approach> step) {
        Approach attempt;
        synchronized (this) {
            if (leaving || state == State.VANISHED) {
                return CompletableFuture.completedFuture(Standing.GONE);
            }
            if (running != null) {
                return running.standing();
            }
            attempt = new Approach(this);
            running = attempt;
        }
        attempt.take(step);
        return attempt.standing();
    }

    /** An attempt is over, and will tell so next. */
    synchronized void over(Approach attempt) {
        if (running == attempt) {
            running = null;
        }
    }

    /** There is a node. */
    synchronized void entered(String path, long zxid) {
        state = State.QUEUED;
        node = path;
        czxid = zxid;
        vigil = new Vigil(session, path, this::told);
    }

    /** What created the node; a server may not tell it at once. */
    synchronized void createdBy(long zxid) {
        czxid = zxid;
    }

    synchronized void state(State now) {
        state = now;
    }

    /** What an attempt comes to, unless the node has vanished meanwhile. */
    synchronized Standing reached(State now, Standing standing) {
        if (state == State.VANISHED) {
            return Standing.GONE;
        }
        state = now;
        return standing;
    }

    /** Whether the node is known to be the first since the last attempt, so that the next one need not ask. */
    synchronized boolean succeeds() {
        return foreseen || (state == State.QUEUED && vigil != null && vigil.succeeds());
    }

    /** Whether nothing wakes this holder when its turn comes. */
    synchronized boolean polls() {
        return vigil != null && vigil.unwatchable();
    }

    /** What the node watches. */
    synchronized Vigil vigil() {
        return requireNonNull(vigil, "there is no node yet");
    }

    /** News of the vigil. */
    void told(Signal signal) {
        if (signal == Signal.LOST) {
            vanished();
        } else if (settled() && !lookAhead()) {
            signal(signal);
        }
    }

    /**
     * Makes the attempt that the signal would cause at once, on the thread that brings the news, and signals only if it has
     * found more than another one to wait for: the waiter wakes once, with the answer there. False if there is no need to
     * ask, or an attempt is under way.
     */
    private boolean lookAhead() {
        synchronized (this) {
            if (state != State.QUEUED || succeeds() || polls() || running != null) {
                return false;
            }
        }
        attempt().whenComplete((standing, failure) -> {
            if (standing == Standing.WAITING) {
                return;
            }
            synchronized (this) {
                foreseen = standing == Standing.HELD && !leaving;
            }
            signal(Signal.MAYBE_FREE);
        });
        return true;
    }

    /** The own node is not there any more though nobody here deleted it. */
    void vanished() {
        boolean wasHeld;
        synchronized (this) {
            if (leaving || state == State.VANISHED) {
                return;
            }
            wasHeld = state == State.HELD;
            state = State.VANISHED;
        }
        signal(wasHeld ? Signal.LOST : Signal.MAYBE_FREE);
    }

    /** From now on no attempt succeeds. Goes on when whatever was unanswered is answered. */
    void leave(Runnable then) {
        Approach unanswered;
        synchronized (this) {
            leaving = true;
            unanswered = running;
        }
        if (unanswered == null) {
            then.run();
        } else {
            unanswered.standing().whenComplete((standing, failure) -> then.run());
        }
    }

    void stopWatching() {
        Vigil ended;
        synchronized (this) {
            ended = vigil;
        }
        if (ended != null) {
            ended.end();
        }
    }
}
