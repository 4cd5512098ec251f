package io.hasp.simulator;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;

/** The holder ids that wait for one lock on the reference server, in the order of their first requests. */
final class WaitQueue {
    /** A waiter without a session that did not ask for so long is passed over. */
    private static final long SEEN_LATELY = 3 * Configuration.POLL.toNanos();

    private static final class Waiter {
        final HolderId holder;
        final ServerSession session;
        long seenAt;

        Waiter(HolderId holder, ServerSession session) {
            this.holder = holder;
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
    boolean enter(HolderId holder, ServerSession session) {
        for (Waiter waiter : waiters) {
            if (waiter.holder.equals(holder)) {
                waiter.seenAt = clock.getAsLong();
                return true;
            }
        }
        Waiter waiter = new Waiter(holder, session);
        waiter.seenAt = clock.getAsLong();
        waiters.addLast(waiter);
        return false;
    }

    /** Passes over dead waiters. The queue has a living one: the holder that entered at this moment. */
    boolean isFirstAlive(HolderId holder) {
        while (dead(waiters.getFirst())) {
            waiters.removeFirst();
        }
        return waiters.getFirst().holder.equals(holder);
    }

    private boolean dead(Waiter waiter) {
        return sessions ? waiter.session.over : clock.getAsLong() - waiter.seenAt > SEEN_LATELY;
    }

    void removeFirst() {
        waiters.removeFirst();
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

    /** Tells the first waiter that the lock may be free. */
    void signalFirst() {
        Waiter first = waiters.getFirst();
        first.session.client.signalled(first.holder, Signal.MAYBE_FREE);
    }

    List<HolderId> holders() {
        return waiters.stream().map(waiter -> waiter.holder).toList();
    }

    /** Extends a hash by the clients that wait. */
    long state(long hash) {
        long all = hash;
        for (Waiter waiter : waiters) {
            all = all * 31 + waiter.session.client.index + 1;
        }
        return all;
    }
}
