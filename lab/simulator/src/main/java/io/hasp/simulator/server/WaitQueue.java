package io.hasp.simulator.server;

import io.hasp.simulator.world.Configuration;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;

/** The holder ids that wait for one lock on the reference server, in the order of their first requests. */
final class WaitQueue {
    /** A waiter without a session that made no request for so long is passed over. */
    private static final long SEEN_LATELY = 3 * Configuration.POLL.toNanos();

    private static final class Waiter {
        final HolderId holder;
        final int weight;
        final ServerSession session;
        long seenAt;

        Waiter(Claim claim, ServerSession session) {
            this.holder = claim.holder();
            this.weight = claim.share().weight();
            this.session = session;
        }
    }

    private final LongSupplier clock;
    private final boolean sessions;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    WaitQueue(LongSupplier clock, boolean sessions) {
        this.clock = clock;
        this.sessions = sessions;
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Adds a holder at the end unless it waits already. Returns whether it waited already. */
    boolean enter(Claim claim, ServerSession session) {
        for (Waiter waiter : waiters) {
            if (waiter.holder.equals(claim.holder())) {
                waiter.seenAt = clock.getAsLong();
                return true;
            }
        }
        Waiter waiter = new Waiter(claim, session);
        waiter.seenAt = clock.getAsLong();
        waiters.addLast(waiter);
        return false;
    }

    /** True if a holder fits together with those before it. Passes over dead waiters, also over one that would not fit. */
    boolean fits(HolderId holder, int free) {
        int left = free;
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter waiter = all.next();
            if (dead(waiter)) {
                all.remove();
                continue;
            }
            left -= waiter.weight;
            if (left < 0 || waiter.holder.equals(holder)) {
                return left >= 0;
            }
        }
        return false;
    }

    private boolean dead(Waiter waiter) {
        return sessions ? waiter.session.over : clock.getAsLong() - waiter.seenAt > SEEN_LATELY;
    }

    void removeLast() {
        waiters.removeLast();
    }

    void remove(HolderId holder) {
        waiters.removeIf(waiter -> waiter.holder.equals(holder));
    }

    void removeAllOf(ServerSession session) {
        waiters.removeIf(waiter -> waiter.session == session);
    }

    void removeDead() {
        waiters.removeIf(this::dead);
    }

    /** Signals the first waiters, as many as fit together, that the lock may be free for them. */
    void signalFitting(int free) {
        int left = free;
        for (Waiter waiter : waiters) {
            left -= waiter.weight;
            if (left < 0) {
                return;
            }
            waiter.session.client.signalled(waiter.holder, Signal.MAYBE_FREE);
        }
    }

    List<Connection> clients() {
        return waiters.stream().map(waiter -> waiter.session.client).toList();
    }

    List<HolderId> holders() {
        return waiters.stream().map(waiter -> waiter.holder).toList();
    }

    /** Extends a hash by the clients that wait. */
    long state(long hash) {
        long all = hash;
        for (Waiter waiter : waiters) {
            all = all * 31 + waiter.session.client.index() + 1;
        }
        return all;
    }
}
