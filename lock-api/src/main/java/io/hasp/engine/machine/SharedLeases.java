package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a lock that several may hold, by their holder ids. They keep no contender from asking: the server decides. The first few
 * contenders ask at the same time, each with a place of its own on the server. Permits pass from one contender of this client to the
 * next; a reader or a writer asks the server each time.
 */
final class SharedLeases extends Leases {
    private final boolean handsPermitsOn;
    private Map<HolderId, HeldLease> sharing = Map.of();

    SharedLeases(LockState lock, boolean semaphore) {
        super(lock);
        this.handsPermitsOn = semaphore && lock.settings.handOffs() > 0 && lock.settings.handOffWithin() > 0;
    }

    @Override
    boolean isEmpty() {
        return sharing.isEmpty();
    }

    @Override
    List<HeldLease> all() {
        return List.copyOf(sharing.values());
    }

    @Override
    @Nullable
    HeldLease of(HolderId id) {
        return sharing.get(id);
    }

    @Override
    void put(HeldLease lease) {
        if (sharing.isEmpty()) {
            sharing = new LinkedHashMap<>();
        }
        sharing.put(lease.grant.claim().holder(), lease);
    }

    @Override
    boolean remove(HeldLease lease) {
        return !sharing.isEmpty() && sharing.remove(lease.grant.claim().holder(), lease);
    }

    @Override
    List<HeldLease> excludedBy(HeldLease lease) {
        List<HeldLease> excluded = List.of();
        for (HeldLease older : sharing.values()) {
            if (older.alive() && older.excludes(lease.terms.share()) && older.grant.token() < lease.grant.token()) {
                excluded = excluded.isEmpty() ? new ArrayList<>(2) : excluded;
                excluded.add(older);
            }
        }
        return excluded;
    }

    @Override
    boolean overtaken(Grant grant) {
        for (HeldLease later : sharing.values()) {
            if (later.alive() && later.excludes(grant.claim().share()) && later.grant.token() > grant.token()) {
                return true;
            }
        }
        return false;
    }

    @Override
    boolean noneGivenUp() {
        return notifying == 0 && sharing.isEmpty();
    }

    @Override
    boolean isGivenUp(HeldLease lease) {
        return !lease.alive() || lease.renewal.lowers();
    }

    @Override
    boolean firstAsksForAll() {
        return false;
    }

    @Override
    boolean maySend(Contender last) {
        return lock.queue.waiting.size() <= lock.settings.mostAsking() && !represented(last, false);
    }

    @Override
    void askNext() {
        int front = 0;
        for (Contender contender : lock.queue.waiting) {
            if (++front > lock.settings.mostAsking()) {
                return;
            }
            if (contender.is(Contender.Phase.QUEUED) && !represented(contender, true)) {
                lock.ask(contender);
            }
        }
    }

    /**
     * True if another contender waits on the server for as many permits, so that this one need not: it gets permits that pass on here,
     * and asks when the other one has had its turn. Until the first refusal all ask at the same time.
     *
     * @param alsoAsking true if a contender without an answer yet counts
     */
    private boolean represented(Contender contender, boolean alsoAsking) {
        if (!handsPermitsOn) {
            return false;
        }
        int front = 0;
        for (Contender other : lock.queue.waiting) {
            if (++front > lock.settings.mostAsking()) {
                return false;
            }
            boolean onServer = other.is(Contender.Phase.RESTING) || (alsoAsking && other.is(Contender.Phase.ASKING));
            if (other != contender && onServer && other.terms.share().equals(contender.terms.share())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Permits go to the first contender that waits for as many. If it has a place on the server, those behind it move up, and the last
     * place goes to a contender that has none. The server decides if there is no such contender, or if a place is older than a raised
     * floor of tokens: that place must not go to a later contender.
     */
    @Override
    @Nullable
    Contender nextOn(HeldLease lease) {
        Contender first = handsPermitsOn ? firstToTake(lease, false) : null;
        if (first == null || first.is(Contender.Phase.QUEUED)) {
            return first;
        }
        return firstToTake(lease, true) != null && !anyAskedBeforeFloor() ? first : null;
    }

    private boolean anyAskedBeforeFloor() {
        return lock.floorsRaised > 0
                && lock.queue.waiting.stream().anyMatch(each -> each.askedBefore(lock.floorsRaised));
    }

    /** The first without a request under way, or the first without a place on the server. */
    private @Nullable Contender firstToTake(HeldLease lease, boolean withoutPlace) {
        for (Contender contender : lock.queue.waiting) {
            boolean may = contender.is(Contender.Phase.QUEUED)
                    || (!withoutPlace && contender.is(Contender.Phase.RESTING) && !contender.inFlight());
            if (may && contender.takes(lease)) {
                return contender;
            }
        }
        return null;
    }

    @Override
    void moveUp(Contender first, HeldLease lease) {
        if (first.is(Contender.Phase.QUEUED)) {
            return;
        }
        List<Contender> places = new ArrayList<>();
        for (Contender contender : lock.queue.waiting) {
            boolean last = contender.is(Contender.Phase.QUEUED);
            if ((last || (contender.is(Contender.Phase.RESTING) && !contender.inFlight())) && contender.takes(lease)) {
                places.add(contender);
            }
            if (last && contender.takes(lease)) {
                break;
            }
        }
        for (int i = places.size() - 1; i > 0; i--) {
            places.get(i).takePlaceOf(places.get(i - 1));
            goOnThere(places.get(i));
        }
        first.leavePlace();
    }

    /** A contender whose wait is over asks now: nothing else looks at that before it would ask again. */
    private void goOnThere(Contender contender) {
        if (contender.isOver(lock.now)) {
            lock.ask(contender);
        } else {
            lock.setAlarm(contender);
        }
    }

    @Override
    public String toString() {
        return sharing.size() + " leases";
    }
}
