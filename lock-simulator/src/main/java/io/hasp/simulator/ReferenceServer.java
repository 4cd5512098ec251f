package io.hasp.simulator;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock server that does what the backend contract asks, and no more. It gives exclusive grants with growing tokens, each for a
 * lease or for its client's session; it serves the first living waiter of a queue, and keeps token floors. A free lock signals
 * its first waiter.
 */
final class ReferenceServer {
    /** What the server has of one lock. */
    private static final class Entry {
        @Nullable
        ServerGrant granted;

        final WaitQueue waiters;

        Entry(WaitQueue waiters) {
            this.waiters = waiters;
        }
    }

    private final LongSupplier clock;
    private final boolean sessions;
    private final boolean tombstones;
    private final Map<LockName, Entry> entries = new LinkedHashMap<>();
    private final Map<LockName, Long> floors = new HashMap<>();
    private final Set<HolderId> gone = new HashSet<>();
    private final List<ServerSession> living = new ArrayList<>();
    private final Map<Long, ServerGrant> byToken = new HashMap<>();
    private long lastToken;
    /** Whether no request of a holder that was withdrawn can have an effect any more. */
    private boolean remembers;
    /** Until then the server breaks its contract: a holder id that does not hold the lock is gone. */
    private long noNewHolderUntil = Long.MIN_VALUE;

    ReferenceServer(LongSupplier clock, Configuration configuration) {
        this.clock = clock;
        this.sessions = configuration.sessions();
        this.tombstones = configuration.tombstones();
        this.remembers = tombstones;
    }

    ServerSession connect(SimulatedBackend client) {
        ServerSession session = new ServerSession(client, clock.getAsLong() + Configuration.LEASE.toNanos());
        if (sessions) {
            living.add(session);
        }
        return session;
    }

    /** Prolongs a session from now on; false if it has ended. */
    boolean hears(ServerSession session) {
        if (sessions && session.expiresAt <= clock.getAsLong()) {
            sweep();
        }
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
        return !session.over;
    }

    /** The client was there all the time until now. */
    void heartbeat(ServerSession session) {
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
    }

    Attempt acquire(Claim claim, ServerSession session) {
        Entry entry = entries.computeIfAbsent(claim.name(), name -> new Entry(new WaitQueue(clock, sessions)));
        ServerGrant held = live(entry);
        boolean owner = held != null && held.isOf(claim.holder());
        if (!owner && clock.getAsLong() < noNewHolderUntil) {
            entry.waiters.remove(claim.holder());
            gone.add(claim.holder());
        }
        if (gone.contains(claim.holder())) {
            serveNext(claim.name(), entry);
            return new Attempt.Gone();
        }
        if (held != null && owner) {
            held.expiresAt =
                    Math.max(held.expiresAt, clock.getAsLong() + claim.lease().toNanos());
            return new Attempt.Granted(held.grant);
        }
        boolean waited = entry.waiters.enter(claim.holder(), session);
        boolean first = entry.waiters.isFirstAlive(claim.holder());
        if (held == null && first) {
            entry.waiters.removeFirst();
            return new Attempt.Granted(grant(claim, entry, session).grant);
        }
        if (held == null) {
            entry.waiters.signalFirst();
        }
        if (!claim.queue() && !waited) {
            entry.waiters.removeLast();
            if (tombstones) {
                // The holder does not wait, so a late copy of this request asks for nobody.
                gone.add(claim.holder());
            }
        }
        return new Attempt.Busy(Configuration.POLL);
    }

    private ServerGrant grant(Claim claim, Entry entry, ServerSession session) {
        lastToken = Math.max(lastToken, floors.getOrDefault(claim.name(), 0L)) + 1;
        Grant grant = Grant.of(claim, lastToken, sessions ? Configuration.LEASE : claim.lease());
        ServerGrant granted = new ServerGrant(
                grant, session, clock.getAsLong() + claim.lease().toNanos());
        entry.granted = granted;
        byToken.put(lastToken, granted);
        return granted;
    }

    Renewal renew(Grant grant) {
        Entry entry = entries.get(grant.claim().name());
        ServerGrant held = entry == null ? null : live(entry);
        if (held == null || !held.isOf(grant.claim().holder())) {
            return new Renewal.Lost("the server does not know it");
        }
        held.expiresAt = Math.max(
                held.expiresAt, clock.getAsLong() + grant.claim().lease().toNanos());
        return new Renewal.Renewed(
                sessions ? Configuration.LEASE : grant.claim().lease());
    }

    Released release(LockName name, HolderId holder) {
        if (tombstones) {
            gone.add(holder);
        }
        Entry entry = entries.get(name);
        if (entry == null) {
            return Released.NOT_HELD;
        }
        entry.waiters.remove(holder);
        ServerGrant held = live(entry);
        boolean owner = held != null && held.isOf(holder);
        if (owner) {
            end(entry);
        }
        serveNext(name, entry);
        return owner ? Released.RELEASED : Released.NOT_HELD;
    }

    void raiseFloor(LockName name, long floor) {
        floors.merge(name, floor, Math::max);
    }

    /** Ends the session, and all that it kept. */
    void end(ServerSession session) {
        if (living.remove(session)) {
            session.over = true;
            for (Map.Entry<LockName, Entry> each : List.copyOf(entries.entrySet())) {
                Entry entry = each.getValue();
                entry.waiters.removeAllOf(session);
                ServerGrant held = entry.granted;
                if (held != null && held.session == session) {
                    end(entry);
                }
                serveNext(each.getKey(), entry);
            }
        }
    }

    /** An administrator ends the grant of a lock. Returns that grant; null if there was none. */
    @Nullable
    ServerGrant revoke(String lock) {
        LockName name = new LockName(lock);
        Entry entry = entries.get(name);
        ServerGrant held = entry == null ? null : live(entry);
        if (entry != null && held != null) {
            held.revoked = true;
            end(entry);
            serveNext(name, entry);
        }
        return held;
    }

    /** For so long the server answers Gone to each holder id that does not hold the lock; zero ends that. */
    void takesNoNewHolder(Duration time) {
        noNewHolderUntil = clock.getAsLong() + time.toNanos();
    }

    /** The server forgets everything, sessions too. No token comes twice: tokens go on from the last one. */
    void forget() {
        remembers = sessions;
        for (ServerSession session : living) {
            session.over = true;
            session.client.expired(session);
        }
        living.clear();
        entries.values().forEach(entry -> {
            if (entry.granted != null) {
                entry.granted.revoked = true;
                entry.granted.over = true;
            }
        });
        entries.clear();
        floors.clear();
        gone.clear();
    }

    /** Ends the sessions whose time is over. Returns the next such moment. */
    long sweep() {
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

    private @Nullable ServerGrant live(Entry entry) {
        ServerGrant granted = entry.granted;
        if (granted != null && !sessions && granted.expiresAt <= clock.getAsLong()) {
            end(entry);
        }
        return entry.granted;
    }

    private void end(Entry entry) {
        if (entry.granted != null) {
            entry.granted.over = true;
            gone.add(entry.granted.holder());
            entry.granted = null;
        }
    }

    private void serveNext(LockName name, Entry entry) {
        if (entry.granted == null && entry.waiters.isEmpty()) {
            entries.remove(name);
        } else if (entry.granted == null) {
            entry.waiters.signalFirst();
        }
    }

    /** The grant of a server's token, whether it has ended or not. */
    @Nullable
    ServerGrant granted(long token) {
        return byToken.get(token);
    }

    /** When the server will end the grant unless it hears more; {@code Long.MIN_VALUE} if it has ended. */
    long end(ServerGrant granted) {
        if (granted.over) {
            return Long.MIN_VALUE;
        }
        return sessions ? granted.session.expiresAt : granted.expiresAt;
    }

    boolean remembers() {
        return remembers;
    }

    /** The holders and waiters of all locks, as text; empty when nobody holds or waits. */
    List<String> present() {
        sweep();
        List<String> present = new ArrayList<>();
        for (Iterator<Map.Entry<LockName, Entry>> all = entries.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<LockName, Entry> each = all.next();
            Entry entry = each.getValue();
            ServerGrant held = live(entry);
            if (held != null) {
                present.add(each.getKey() + " is held by " + held.holder());
            }
            entry.waiters.removeDead();
            entry.waiters.holders().forEach(holder -> present.add(each.getKey() + " is waited for by " + holder));
            if (held == null && entry.waiters.isEmpty()) {
                all.remove();
            }
        }
        return present;
    }

    /** A hash of what the server keeps, without tokens and moments. */
    long state() {
        long hash = floors.size() + (clock.getAsLong() < noNewHolderUntil ? 8L : 0L);
        for (Map.Entry<LockName, Entry> each : entries.entrySet()) {
            ServerGrant held = each.getValue().granted;
            long one = each.getKey().value().charAt(0) * 31L + (held == null ? 0 : 1 + held.session.client.index);
            hash += ChoiceSequence.mix(each.getValue().waiters.state(one));
        }
        return hash;
    }
}
