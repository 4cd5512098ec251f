package io.hasp.simulator.server;

import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock server that fulfils the backend contract, and does no more. It gives grants with growing tokens, each for a lease or
 * for its client's session, and never more of a lock than there is; it serves the first living waiters of a queue that fit
 * together, signals them when something becomes free, and keeps token floors.
 */
public final class ReferenceServer {
    private static final Duration FIRST_TRY = Duration.ofMillis(1);

    private final LongSupplier clock;
    private final boolean sessions;
    private final boolean tombstones;
    private final Map<LockName, ServerLock> locks = new LinkedHashMap<>();
    private final Map<LockName, Long> floors = new HashMap<>();
    private final Set<HolderId> gone = new HashSet<>();
    private final List<ServerSession> living = new ArrayList<>();
    private final Map<Long, ServerGrant> byToken = new HashMap<>();
    private long lastToken;
    /** True if no request of a withdrawn holder can have an effect any more. */
    private boolean remembers;
    /** Until then the server breaks its contract: a holder id that does not hold the lock is gone. */
    private long noNewHolderUntil = Long.MIN_VALUE;

    public ReferenceServer(LongSupplier clock, Configuration configuration) {
        this.clock = clock;
        this.sessions = configuration.sessions();
        this.tombstones = configuration.tombstones();
        this.remembers = tombstones;
    }

    public ServerSession connect(Connection client) {
        ServerSession session = new ServerSession(client, clock.getAsLong() + Configuration.LEASE.toNanos());
        if (sessions) {
            living.add(session);
        }
        return session;
    }

    /** Prolongs a session from now on; false if it has ended. */
    public boolean hears(ServerSession session) {
        if (sessions && session.expiresAt <= clock.getAsLong()) {
            sweep();
        }
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
        return !session.over;
    }

    /** The client was there all the time until now. */
    public void heartbeat(ServerSession session) {
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
    }

    /**
     * Requests a lock.
     *
     * @throws BackendFailure if the name is a lock of another kind at present
     */
    public Attempt acquire(Claim claim, ServerSession session) {
        ServerLock lock = lockFor(claim);
        endExpired(lock);
        ServerGrant held = lock.grantOf(claim.holder());
        if (held != null && held.retained) {
            gone.add(claim.holder());
        }
        if (held == null && clock.getAsLong() < noNewHolderUntil) {
            lock.waiters.remove(claim.holder());
            gone.add(claim.holder());
        }
        if (gone.contains(claim.holder())) {
            serveNext(claim.name(), lock);
            return new Attempt.Gone();
        }
        if (held != null) {
            held.expiresAt =
                    Math.max(held.expiresAt, clock.getAsLong() + claim.lease().toNanos());
            return new Attempt.Granted(held.grant, held.recallable);
        }
        boolean waited = lock.waiters.enter(claim, session);
        if (lock.waiters.fits(claim.holder(), lock.free())) {
            lock.waiters.remove(claim.holder());
            ServerGrant granted = grant(claim, lock, session);
            return new Attempt.Granted(granted.grant, granted.recallable);
        }
        lock.waiters.signalFitting(lock.free());
        boolean recalled = recall(claim.name(), lock);
        if (!claim.queue() && !waited) {
            lock.waiters.removeLast();
            if (tombstones) {
                // The holder does not wait, so a late copy of this request must not enter the queue.
                gone.add(claim.holder());
            }
        }
        return new Attempt.Busy(recalled && !claim.queue() ? FIRST_TRY : Configuration.POLL, recalled);
    }

    /** Recalls the lock from the clients that may keep it. False if there is no such client, or none is reached. */
    private boolean recall(LockName name, ServerLock lock) {
        boolean heard = false;
        for (ServerGrant held : lock.granted) {
            heard |= held.recallable && held.session.client.recalled(name, held.holder());
        }
        return heard;
    }

    /** The lock of a claim. Only present holders and waiters give a name its kind; an unused name has none. */
    private ServerLock lockFor(Claim claim) {
        ServerLock lock = locks.get(claim.name());
        if (lock != null && lock.capacity != claim.share().capacity()) {
            endExpired(lock);
            lock.waiters.removeDead();
            if (!lock.isUnused()) {
                throw new BackendFailure(
                        BackendFailure.Kind.OTHER_KIND,
                        BackendFailure.Outcome.NOT_APPLIED,
                        "it is " + Share.kindOf(lock.capacity) + " at present",
                        null);
            }
            lock = null;
        }
        if (lock == null) {
            lock = new ServerLock(claim.share().capacity(), clock, sessions);
            locks.put(claim.name(), lock);
        }
        return lock;
    }

    private ServerGrant grant(Claim claim, ServerLock lock, ServerSession session) {
        lastToken = Math.max(lastToken, floors.getOrDefault(claim.name(), 0L)) + 1;
        Grant grant = Grant.of(claim, lastToken, sessions ? Configuration.LEASE : claim.lease());
        long now = clock.getAsLong();
        ServerGrant granted =
                new ServerGrant(grant, session, now, now + claim.lease().toNanos());
        // A waiter that is in the queue already will not repeat its request soon.
        granted.recallable = claim.keeps() && lock.waiters.isEmpty();
        lock.granted.add(granted);
        byToken.put(lastToken, granted);
        return granted;
    }

    public Renewal renew(Grant grant) {
        Claim claim = grant.claim();
        ServerGrant held = live(claim.name(), claim.holder());
        if (held == null || held.retained) {
            return new Renewal.Lost("the server does not know it");
        }
        held.expiresAt =
                Math.max(held.expiresAt, clock.getAsLong() + claim.lease().toNanos());
        held.recallable &= claim.keeps();
        if (claim.share().weight() < held.weight) {
            held.weight = claim.share().weight();
            ServerLock lock = Objects.requireNonNull(locks.get(claim.name()));
            lock.waiters.signalFitting(lock.free());
        }
        return new Renewal.Renewed(sessions ? Configuration.LEASE : claim.lease());
    }

    /** A holder is done, and its lock stays taken for so long. */
    public Released retain(Claim claim) {
        ServerGrant held = live(claim.name(), claim.holder());
        if (held == null || held.retained) {
            return Released.NOT_HELD;
        }
        held.retained = true;
        held.expiresAt = clock.getAsLong() + claim.lease().toNanos();
        return Released.RELEASED;
    }

    public Released release(LockName name, HolderId holder) {
        if (tombstones) {
            gone.add(holder);
        }
        ServerLock lock = locks.get(name);
        if (lock == null) {
            return Released.NOT_HELD;
        }
        lock.waiters.remove(holder);
        ServerGrant held = live(name, holder);
        if (held != null && held.retained) {
            held = null;
        }
        if (held != null) {
            end(lock, held);
        }
        serveNext(name, lock);
        return held != null ? Released.RELEASED : Released.NOT_HELD;
    }

    /** Raises a floor. Returns false, and raises nothing, if a client may keep the lock; that client is recalled first. */
    public boolean raiseFloor(LockName name, long floor) {
        ServerLock lock = locks.get(name);
        if (lock != null) {
            endExpired(lock);
            recall(name, lock);
            if (lock.granted.stream().anyMatch(held -> held.recallable)) {
                return false;
            }
        }
        floors.merge(name, floor, Math::max);
        return true;
    }

    /** True if another client has the lock, or waits for it. */
    public boolean isForOthers(LockName name, Connection client) {
        ServerLock lock = locks.get(name);
        if (lock == null) {
            return false;
        }
        for (ServerGrant held : lock.granted) {
            if (held.session.client != client) {
                return true;
            }
        }
        return !lock.waiters.isEmpty() && lock.waiters.clients().stream().anyMatch(waiter -> waiter != client);
    }

    public List<ServerGrant> grantsOf(Connection client) {
        return locks.values().stream()
                .flatMap(lock -> lock.granted.stream())
                .filter(granted -> granted.session.client == client)
                .toList();
    }

    /** The grants of a lock that may be recalled. */
    public List<ServerGrant> recallable(LockName name) {
        ServerLock lock = locks.get(name);
        return lock == null
                ? List.of()
                : lock.granted.stream().filter(held -> held.recallable).toList();
    }

    /** The clients whose holders wait for a lock. */
    public List<Connection> waitingFor(LockName name) {
        ServerLock lock = locks.get(name);
        return lock == null ? List.of() : lock.waiters.clients();
    }

    /** Ends the session, and all that it kept. */
    public void end(ServerSession session) {
        if (living.remove(session)) {
            session.over = true;
            for (Map.Entry<LockName, ServerLock> each : List.copyOf(locks.entrySet())) {
                ServerLock lock = each.getValue();
                lock.waiters.removeAllOf(session);
                List.copyOf(lock.granted).stream()
                        .filter(held -> held.session == session)
                        .forEach(held -> end(lock, held));
                serveNext(each.getKey(), lock);
            }
        }
    }

    /** An administrator ends the grant of a lock. Returns that grant; null if there was none. */
    @Nullable
    public ServerGrant revoke(LockName name) {
        ServerLock lock = locks.get(name);
        if (lock == null) {
            return null;
        }
        endExpired(lock);
        if (lock.granted.isEmpty()) {
            return null;
        }
        ServerGrant held = lock.granted.get(0);
        held.revoked = true;
        end(lock, held);
        serveNext(name, lock);
        return held;
    }

    /** For so long the server answers Gone to each holder id that does not hold the lock; zero ends that. */
    public void takesNoNewHolder(Duration time) {
        noNewHolderUntil = clock.getAsLong() + time.toNanos();
    }

    /** The server forgets everything, sessions too. No token comes twice: tokens go on from the last one. */
    public void forget() {
        remembers = sessions;
        for (ServerSession session : living) {
            session.over = true;
            session.client.expired(session);
        }
        living.clear();
        locks.values().forEach(lock -> {
            lock.granted.forEach(held -> {
                held.revoked = true;
                held.over = true;
            });
        });
        locks.clear();
        floors.clear();
        gone.clear();
    }

    /** Ends the sessions that have timed out. Returns when the next one times out. */
    public long sweep() {
        long now = clock.getAsLong();
        long next = Long.MAX_VALUE;
        for (int i = living.size() - 1; i >= 0; i--) {
            ServerSession session = living.get(i);
            if (session.expiresAt <= now) {
                end(session);
                session.client.expired(session);
            } else {
                next = Math.min(next, session.expiresAt);
            }
        }
        return next;
    }

    /** The grant of a holder; null if it has none. */
    private @Nullable ServerGrant live(LockName name, HolderId holder) {
        ServerLock lock = locks.get(name);
        if (lock == null) {
            return null;
        }
        endExpired(lock);
        return lock.grantOf(holder);
    }

    private void endExpired(ServerLock lock) {
        for (int i = lock.granted.size() - 1; i >= 0 && !sessions; i--) {
            if (lock.granted.get(i).expiresAt <= clock.getAsLong()) {
                end(lock, lock.granted.get(i));
            }
        }
    }

    private void end(ServerLock lock, ServerGrant granted) {
        granted.over = true;
        gone.add(granted.holder());
        lock.granted.remove(granted);
    }

    private void serveNext(LockName name, ServerLock lock) {
        if (lock.isUnused()) {
            locks.remove(name);
        } else {
            lock.waiters.signalFitting(lock.free());
        }
    }

    /** The grant of a server's token, whether it has ended or not. */
    @Nullable
    public ServerGrant granted(long token) {
        return byToken.get(token);
    }

    /** The time at which the server ends the grant unless it is renewed; {@code Long.MIN_VALUE} if it has ended. */
    public long end(ServerGrant granted) {
        if (granted.over) {
            return Long.MIN_VALUE;
        }
        return sessions ? granted.session.expiresAt : granted.expiresAt;
    }

    public boolean remembers() {
        return remembers;
    }

    /** The holders and waiters of all locks, as text; empty if there are none. */
    public List<String> present() {
        sweep();
        List<String> present = new ArrayList<>();
        for (Iterator<Map.Entry<LockName, ServerLock>> all = locks.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<LockName, ServerLock> each = all.next();
            ServerLock lock = each.getValue();
            endExpired(lock);
            lock.granted.forEach(held -> present.add(each.getKey() + " is held by " + held.holder()));
            lock.waiters.removeDead();
            lock.waiters.holders().forEach(holder -> present.add(each.getKey() + " is waited for by " + holder));
            if (lock.isUnused()) {
                all.remove();
            }
        }
        return present;
    }

    /** A hash of what the server keeps, without tokens and moments. */
    public long state() {
        long hash = floors.size() + (clock.getAsLong() < noNewHolderUntil ? 8L : 0L);
        for (Map.Entry<LockName, ServerLock> each : locks.entrySet()) {
            long one = each.getKey().value().charAt(0) * 31L;
            for (ServerGrant held : each.getValue().granted) {
                one = one * 7
                        + 1
                        + held.session.client.index()
                        + 4L * Math.min(held.weight, 4)
                        + (held.recallable ? 16 : 0);
            }
            hash += ChoiceSequence.mix(each.getValue().waiters.state(one));
        }
        return hash;
    }
}
