package io.hasp.simulator;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
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
 * What a lock service has to do, and no more: exclusive grants with growing tokens, each for a lease or for its client's
 * session; a queue whose first living waiter is served; floors. A free lock that somebody waits for signals it.
 */
final class ReferenceServer {
    /** A waiter that did not ask for so long is passed by, where no session vouches for it. */
    private static final long SEEN_LATELY = 3 * Configuration.POLL.toNanos();

    /** What a client has from connecting until the server does not hear of it for too long. */
    static final class Session {
        private final SimulatedBackend client;
        private long expiresAt;
        boolean over;

        Session(SimulatedBackend client, long expiresAt) {
            this.client = client;
            this.expiresAt = expiresAt;
        }
    }

    /** One grant; stays as it was when it has ended. */
    static final class Granted {
        final Grant grant;
        private final Session session;
        private long expiresAt;
        boolean over;
        /** The server broke its word: it forgot the grant, or an administrator ended it. */
        boolean revoked;

        Granted(Grant grant, Session session) {
            this.grant = grant;
            this.session = session;
        }
    }

    private static final class Waiter {
        final HolderId holder;
        final Session session;
        long seenAt;

        Waiter(HolderId holder, Session session) {
            this.holder = holder;
            this.session = session;
        }
    }

    private static final class Entry {
        @Nullable
        Granted granted;

        final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    }

    private final LongSupplier clock;
    private final boolean sessions;
    private final boolean tombstones;
    private final Map<LockName, Entry> entries = new LinkedHashMap<>();
    private final Map<LockName, Long> floors = new HashMap<>();
    private final Set<HolderId> gone = new HashSet<>();
    private final List<Session> living = new ArrayList<>();
    private final Map<Long, Granted> byToken = new HashMap<>();
    private long lastToken;
    /** Whether no request of a holder that was withdrawn can have an effect any more. */
    private boolean remembers;
    /** Until then it breaks its contract: whoever does not hold the lock is gone. */
    private long noNewHolderUntil = Long.MIN_VALUE;

    ReferenceServer(LongSupplier clock, Configuration configuration) {
        this.clock = clock;
        this.sessions = configuration.sessions();
        this.tombstones = configuration.tombstones();
        this.remembers = tombstones;
    }

    Session connect(SimulatedBackend client) {
        Session session = new Session(client, clock.getAsLong() + Configuration.LEASE.toNanos());
        if (sessions) {
            living.add(session);
        }
        return session;
    }

    /** False if the session has ended; else it goes on from now. */
    boolean hears(Session session) {
        if (sessions && session.expiresAt <= clock.getAsLong()) {
            sweep();
        }
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
        return !session.over;
    }

    /** The client was there all the time until now. */
    void heartbeat(Session session) {
        session.expiresAt = clock.getAsLong() + Configuration.LEASE.toNanos();
    }

    Attempt acquire(Claim claim, Session session) {
        Entry entry = entries.computeIfAbsent(claim.name(), name -> new Entry());
        Granted held = live(entry);
        boolean owner = held != null && held.grant.claim().holder().equals(claim.holder());
        if (!owner && clock.getAsLong() < noNewHolderUntil) {
            entry.waiters.removeIf(waiter -> waiter.holder.equals(claim.holder()));
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
        boolean waited = enter(entry, claim.holder(), session);
        Waiter first = firstAlive(entry);
        if (held == null && first.holder.equals(claim.holder())) {
            entry.waiters.removeFirst();
            return new Attempt.Granted(grant(claim, entry, session).grant);
        }
        if (held == null) {
            signal(first);
        }
        if (!claim.queue() && !waited) {
            entry.waiters.removeLast();
            if (tombstones) {
                // It does not wait, so a copy of it that comes later asks for nobody.
                gone.add(claim.holder());
            }
        }
        return new Attempt.Busy(Configuration.POLL);
    }

    /** Whether it was there before. */
    private boolean enter(Entry entry, HolderId holder, Session session) {
        for (Waiter waiter : entry.waiters) {
            if (waiter.holder.equals(holder)) {
                waiter.seenAt = clock.getAsLong();
                return true;
            }
        }
        Waiter waiter = new Waiter(holder, session);
        waiter.seenAt = clock.getAsLong();
        entry.waiters.addLast(waiter);
        return false;
    }

    /** There is one: whoever asks at this moment. */
    private Waiter firstAlive(Entry entry) {
        while (dead(entry.waiters.getFirst())) {
            entry.waiters.removeFirst();
        }
        return entry.waiters.getFirst();
    }

    private boolean dead(Waiter waiter) {
        return sessions ? waiter.session.over : clock.getAsLong() - waiter.seenAt > SEEN_LATELY;
    }

    private Granted grant(Claim claim, Entry entry, Session session) {
        lastToken = Math.max(lastToken, floors.getOrDefault(claim.name(), 0L)) + 1;
        Grant grant = Grant.of(claim, lastToken, sessions ? Configuration.LEASE : claim.lease());
        Granted granted = new Granted(grant, session);
        granted.expiresAt = clock.getAsLong() + claim.lease().toNanos();
        entry.granted = granted;
        byToken.put(lastToken, granted);
        return granted;
    }

    Renewal renew(Grant grant) {
        Entry entry = entries.get(grant.claim().name());
        Granted held = entry == null ? null : live(entry);
        if (held == null || !held.grant.claim().holder().equals(grant.claim().holder())) {
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
        entry.waiters.removeIf(waiter -> waiter.holder.equals(holder));
        Granted held = live(entry);
        boolean owner = held != null && held.grant.claim().holder().equals(holder);
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
    void end(Session session) {
        if (living.remove(session)) {
            session.over = true;
            for (Map.Entry<LockName, Entry> each : List.copyOf(entries.entrySet())) {
                Entry entry = each.getValue();
                entry.waiters.removeIf(waiter -> waiter.session == session);
                Granted held = entry.granted;
                if (held != null && held.session == session) {
                    end(entry);
                }
                serveNext(each.getKey(), entry);
            }
        }
    }

    /** An administrator ends the grant of a lock; the one who held it, if somebody did. */
    @Nullable
    Granted revoke(LockName name) {
        Entry entry = entries.get(name);
        Granted held = entry == null ? null : live(entry);
        if (entry != null && held != null) {
            held.revoked = true;
            end(entry);
            serveNext(name, entry);
        }
        return held;
    }

    /** For so long whoever does not hold a lock is told that its holder id is gone; zero ends that. */
    void takesNoNewHolder(Duration time) {
        noNewHolderUntil = clock.getAsLong() + time.toNanos();
    }

    /** Everything is forgotten, sessions too, but no token comes twice: a clock is in them. */
    void forget() {
        remembers = sessions;
        for (Session session : living) {
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

    /** Ends the sessions and grants whose time is over; the next such moment. */
    long sweep() {
        long now = clock.getAsLong();
        long next = Long.MAX_VALUE;
        for (int i = living.size() - 1; i >= 0; i--) {
            Session session = living.get(i);
            if (session.expiresAt <= now) {
                end(session);
                session.client.expired(session);
            } else {
                next = Math.min(next, session.expiresAt);
            }
        }
        return next;
    }

    private @Nullable Granted live(Entry entry) {
        Granted granted = entry.granted;
        if (granted != null && !sessions && granted.expiresAt <= clock.getAsLong()) {
            end(entry);
        }
        return entry.granted;
    }

    private void end(Entry entry) {
        if (entry.granted != null) {
            entry.granted.over = true;
            gone.add(entry.granted.grant.claim().holder());
            entry.granted = null;
        }
    }

    private void serveNext(LockName name, Entry entry) {
        if (entry.granted == null && entry.waiters.isEmpty()) {
            entries.remove(name);
        } else if (entry.granted == null) {
            signal(entry.waiters.getFirst());
        }
    }

    private static void signal(Waiter waiter) {
        waiter.session.client.signalled(waiter.holder, Signal.MAYBE_FREE);
    }

    /** The grant of a server's token, whether it has ended or not. */
    @Nullable
    Granted granted(long token) {
        return byToken.get(token);
    }

    /** When the server ends it unless it hears more; long ago if it has ended. */
    long end(Granted granted) {
        if (granted.over) {
            return Long.MIN_VALUE;
        }
        return sessions ? granted.session.expiresAt : granted.expiresAt;
    }

    boolean remembers() {
        return remembers;
    }

    /** Who has something on the server: empty when nobody holds or waits. */
    List<String> present() {
        sweep();
        List<String> present = new ArrayList<>();
        for (Iterator<Map.Entry<LockName, Entry>> all = entries.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<LockName, Entry> each = all.next();
            Entry entry = each.getValue();
            Granted held = live(entry);
            if (held != null) {
                present.add(each.getKey() + " is held by " + held.grant.claim().holder());
            }
            entry.waiters.removeIf(this::dead);
            entry.waiters.forEach(waiter -> present.add(each.getKey() + " is waited for by " + waiter.holder));
            if (held == null && entry.waiters.isEmpty()) {
                all.remove();
            }
        }
        return present;
    }

    /** What it keeps, without tokens and moments. */
    long state() {
        long hash = floors.size() + (clock.getAsLong() < noNewHolderUntil ? 8L : 0L);
        for (Map.Entry<LockName, Entry> each : entries.entrySet()) {
            Granted held = each.getValue().granted;
            long one = each.getKey().value().charAt(0) * 31L + (held == null ? 0 : 1 + held.session.client.index);
            for (Waiter waiter : each.getValue().waiters) {
                one = one * 31 + waiter.session.client.index + 1;
            }
            hash += ChoiceSequence.mix(one);
        }
        return hash;
    }
}
