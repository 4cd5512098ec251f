package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one client knows of one lock name, and the changes that all steps share. Not thread-safe.
 */
final class LockState {
    /** A request may be on its way for a while before its lease begins. */
    private static final long LONGEST_WAY = TimeUnit.MINUTES.toNanos(5);

    final LockName name;
    /** Whether several may hold the lock at a time. */
    final boolean shared;

    /** Whether permits go from one holder of this client to another. Who reads or writes a lock asks the server each time. */
    private final boolean handsPermitsOn;

    final EngineSettings settings;
    final Supplier<HolderId> holderIds;
    private final Consumer<Transition> trace;

    /** Null unless the grants of this lock may be kept. */
    final @Nullable Keeping keeping;

    final ArrayDeque<Contender> waiting = new ArrayDeque<>(2);

    /** Those without a wait that try again, since the holder may only keep the lock. */
    List<Contender> trying = List.of();

    /** The lease of an exclusive lock: it stands in everybody's way. */
    @Nullable
    HeldLease holder;

    /** A grant without a lease, that the next one may begin on; nobody waits then, and there is no lease. */
    @Nullable
    KeptGrant kept;

    /** The leases of a shared lock by their holder ids; they stand in nobody's way here, only on the server. */
    Map<HolderId, HeldLease> sharing = Map.of();

    /** Who is about to be told of its lease. */
    @Nullable
    Contender beginning;

    long failingSince = Timed.NEVER;
    /** When the lock was last granted to this client or refused to it. */
    long heldAt = Long.MIN_VALUE;
    /** Tokens of the server's that are not above this one end with their lease. */
    long tokenFloor;
    /** How often it was raised. */
    int floorsRaised;
    /** Whether a wait has ended that could not be decided: the next thing that is learned decides it. */
    boolean overdue;
    /** Requests for the lock that are not answered. */
    int unanswered;
    /** Releases of leases that are not answered. */
    int releasing;
    /** Leases at their end whose observers are being told. */
    int telling;

    List<OwedRelease> owed = List.of();
    /** Those that left when a request of theirs was unanswered: it may still take the lock. */
    private List<Contender> left = List.of();
    /** Whether a contender may be behind something that this client has given up. */
    private boolean anyBehind;
    /** Whether something of that has just gone from the server. */
    private boolean settled;
    /** Where what is held is given back once the client closes; null before. */
    @Nullable
    RequestExecutor closing;

    boolean closed;

    /** Of the event that is being applied. */
    long now;

    List<Effect> effects = List.of();

    LockState(
            NameAndCapacity lock,
            EngineSettings settings,
            Supplier<HolderId> holderIds,
            Consumer<Transition> trace,
            @Nullable Keeping keeping) {
        this.name = lock.name();
        this.shared = lock.shared();
        this.handsPermitsOn = lock.semaphore() && settings.handOffs() > 0 && settings.handOffWithin() > 0;
        this.settings = settings;
        this.holderIds = holderIds;
        this.trace = trace;
        this.keeping = lock.shared() ? null : keeping;
    }

    boolean idle() {
        return holder == null && sharing.isEmpty() && answered();
    }

    /** Whether nobody waits, nothing is kept, and the server has answered everything. */
    boolean answered() {
        return kept == null
                && trying.isEmpty()
                && waiting.isEmpty()
                && unanswered == 0
                && releasing == 0
                && telling == 0
                && owed.isEmpty();
    }

    void took(Transition transition) {
        trace.accept(transition);
    }

    @Override
    public String toString() {
        return "lock " + name + ": " + waiting.size() + " waiting, " + unanswered + " requests, " + releasing
                + " releases unanswered, " + telling + " being told, " + owed.size() + " releases owed, "
                + leases();
    }

    private String leases() {
        return shared
                ? sharing.size() + " leases"
                : holder == null
                        ? kept == null ? "no lease" : "a grant that is kept"
                        : "a lease that is " + holder.life().state();
    }

    /** The lease of a holder id; null if that has none. */
    @Nullable
    HeldLease leaseOf(HolderId id) {
        if (shared) {
            return sharing.get(id);
        }
        return holder != null && holder.grant.claim().holder().equals(id) ? holder : null;
    }

    /** All leases of this client. */
    List<HeldLease> leasesHeld() {
        return shared ? List.copyOf(sharing.values()) : holder == null ? List.of() : List.of(holder);
    }

    /** The leases of a shared lock that were granted before that one, believe to be alive, and leave no room for it. */
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

    /** Whether a lease of a shared lock that leaves no room for that grant was granted after it: its answer was late. */
    boolean overtaken(Grant grant) {
        for (HeldLease later : sharing.values()) {
            if (later.alive() && later.excludes(grant.claim().share()) && later.grant.token() > grant.token()) {
                return true;
            }
        }
        return false;
    }

    /** A lease begins, in the place of an earlier one of its holder id if there is one. */
    void put(HeldLease lease) {
        if (!shared) {
            holder = lease;
            return;
        }
        if (sharing.isEmpty()) {
            sharing = new LinkedHashMap<>();
        }
        sharing.put(lease.grant.claim().holder(), lease);
    }

    /** A lease is over; tells whether it was there. */
    boolean remove(HeldLease lease) {
        if (shared) {
            return !sharing.isEmpty() && sharing.remove(lease.grant.claim().holder(), lease);
        }
        boolean present = holder == lease;
        holder = present ? null : holder;
        return present;
    }

    /** What a contender asks of the server now. */
    Claim claimOf(Contender contender) {
        return keeping == null ? contender.claim() : contender.claim(keeping.worthwhile(name));
    }

    /** How far the wall clock is ahead of the engine's. It is read only if grants may be kept. */
    long clockDifference() {
        return keeping == null ? 0 : keeping.clockDifference();
    }

    /** One without a wait tries again later. */
    void tryAgain(Contender contender) {
        if (trying.isEmpty()) {
            trying = new ArrayList<>(2);
        }
        if (!trying.contains(contender)) {
            trying.add(contender);
        }
    }

    /** The contender has its outcome. */
    void leave(Contender contender) {
        waiting.remove(contender);
        if (!trying.isEmpty()) {
            trying.remove(contender);
        }
    }

    /** The contender makes a request. */
    void ask(Contender contender) {
        long wallClockAhead = clockDifference();
        lookBack(contender, null);
        effects.add(new Effect.Acquire(contender, claimOf(contender), contender.nextRequest()));
        contender.ask(null, wallClockAhead, floorsRaised);
        unanswered++;
        setAlarm(contender);
    }

    /** A contender that is about to ask notes what this client has given up, and the server may still have; but for what goes with its request. */
    void lookBack(Contender contender, @Nullable HeldLease inPlaceOf) {
        if (contender.looksBack(now)) {
            behind(contender, given(inPlaceOf));
        }
    }

    /** The contender asks when the server may still have that. One without a wait is known from now on, so that it hears of the end of that. */
    void behind(Contender contender, List<Timed> given) {
        contender.behind(given);
        if (!given.isEmpty()) {
            anyBehind = true;
            if (!contender.waits()) {
                tryAgain(contender);
            }
        }
    }

    private List<Timed> given(@Nullable HeldLease except) {
        if (owed.isEmpty() && left.isEmpty() && releasing == 0 && telling == 0 && sharing.isEmpty()) {
            return List.of();
        }
        List<Timed> given = new ArrayList<>(owed);
        given.addAll(left);
        for (HeldLease lease : leasesHeld()) {
            if (lease != except && (!lease.alive() || (shared && lease.renewal.lowers()))) {
                given.add(lease);
            }
        }
        return given.isEmpty() ? List.of() : given;
    }

    /** The contender leaves, and a request of its own is unanswered. */
    void leavesRequest(Contender contender) {
        left = left.isEmpty() ? new ArrayList<>(2) : left;
        left.add(contender);
    }

    /** The request is answered of one that has left. */
    void requestArrived(Contender contender) {
        if (!left.isEmpty()) {
            left.remove(contender);
        }
    }

    /** The server does not have that of this client any more, unless something else of it is owed. */
    void settled(Timed given, @Nullable Timed instead) {
        if (!anyBehind) {
            return;
        }
        anyBehind = false;
        for (Contender contender : waiting) {
            anyBehind |= contender.settled(given, instead);
        }
        for (Contender contender : trying) {
            anyBehind |= contender.settled(given, instead);
        }
        settled = true;
    }

    /** Whether that has happened since the last look. */
    boolean takeSettled() {
        boolean taken = settled;
        settled = false;
        return taken;
    }

    /** The server answers: what is owed, and in this contender's way, need not wait for its next try. */
    void tryOwedNow(Contender contender) {
        for (OwedRelease release : owed) {
            if (release.pauses() && contender.isBehind(release)) {
                tryNow(release);
            }
        }
    }

    void tryNow(OwedRelease release) {
        effects.add(new Effect.Withdraw(release));
        release.asksAt(now);
        setAlarm(release, Timed.NEVER);
    }

    /** Whether one that has just come may ask, and need not wait for others of this client. */
    boolean maySend(Contender last) {
        return shared
                ? waiting.size() <= settings.mostAsking() && !represented(last, false)
                : holder == null && waiting.peekFirst() == last;
    }

    /**
     * Whether another one waits on the server for as many permits. Then this one need not: it gets those that are handed on here, and
     * its turn to ask when the other one has had its own. As long as nobody is refused, all ask at the same time.
     *
     * @param alsoAsking whether one that has no answer yet counts
     */
    private boolean represented(Contender contender, boolean alsoAsking) {
        if (!handsPermitsOn) {
            return false;
        }
        int front = 0;
        for (Contender other : waiting) {
            if (++front > settings.mostAsking()) {
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
     * Who may get the grant of a lease that is given back; null if nobody. Permits go to the first that waits for as many. If that one
     * has a place on the server, those behind it move up, and the last place goes to one that has none; without such a one the
     * server has to decide. So it does where a place is older than a floor of tokens that was raised since: it must not go to one that
     * came later.
     */
    @Nullable
    Contender nextOn(HeldLease lease) {
        if (!shared) {
            return holder == lease ? waiting.peekFirst() : null;
        }
        Contender first = handsPermitsOn ? firstToTake(lease, false) : null;
        if (first == null || first.is(Contender.Phase.QUEUED)) {
            return first;
        }
        return firstToTake(lease, true) != null && !anyAskedBeforeFloor() ? first : null;
    }

    private boolean anyAskedBeforeFloor() {
        return floorsRaised > 0 && waiting.stream().anyMatch(each -> each.askedBefore(floorsRaised));
    }

    /** The first without a request under way, or the first without a place on the server. */
    private @Nullable Contender firstToTake(HeldLease lease, boolean withoutPlace) {
        for (Contender contender : waiting) {
            boolean may = contender.is(Contender.Phase.QUEUED)
                    || (!withoutPlace && contender.is(Contender.Phase.RESTING) && !contender.inFlight());
            if (may && contender.takes(lease)) {
                return contender;
            }
        }
        return null;
    }

    /** The first one gets a grant that was here: its place on the server, if it has one, goes to those behind it. */
    void moveUp(Contender first, HeldLease lease) {
        if (!shared || first.is(Contender.Phase.QUEUED)) {
            return;
        }
        List<Contender> places = new ArrayList<>();
        for (Contender contender : waiting) {
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

    /** One whose wait is over asks now: nothing else looks at that before it would ask again. */
    private void goOnThere(Contender contender) {
        if (contender.isOver(now)) {
            ask(contender);
        } else {
            setAlarm(contender);
        }
    }

    /** Who waits under a holder id; null if nobody does. */
    @Nullable
    Contender waitingAs(HolderId id) {
        for (Contender contender : waiting) {
            if (contender.claim().holder().equals(id)) {
                return contender;
            }
        }
        return null;
    }

    /**
     * Nothing here stands in the way of the first one: it goes on, unless it asks already or another one has just got the lock. Of
     * a shared lock, those go on that have come to the front.
     */
    void askNext() {
        if (closing != null || beginning != null || holder != null) {
            return;
        }
        if (shared) {
            askFront();
            return;
        }
        Contender first = waiting.peekFirst();
        if (first != null && !first.inFlight()) {
            ask(first);
        }
    }

    private void askFront() {
        int front = 0;
        for (Contender contender : waiting) {
            if (++front > settings.mostAsking()) {
                return;
            }
            if (contender.is(Contender.Phase.QUEUED) && !represented(contender, true)) {
                ask(contender);
            }
        }
    }

    /** Has a holder id that belongs to nobody any more released until that is answered. */
    OwedRelease owe(Claim claim, Duration lease) {
        long until = settings.sessions() ? Nanos.FOREVER : now + Nanos.of(lease) + LONGEST_WAY;
        OwedRelease release = new OwedRelease(claim, until, now);
        if (owed.isEmpty()) {
            owed = new ArrayList<>(2);
        }
        effects.add(new Effect.Withdraw(release));
        owed.add(release);
        return release;
    }

    /**
     * The same for what a lease has left, unless the lock has to stay taken, or the lease was lost under the work that it was left to:
     * that ends by itself.
     */
    void owe(HeldLease lease) {
        boolean owes = lease.staysFor(now) <= 0 && !lease.lostToWork();
        settled(lease, owes ? owe(lease.grant.claim(), lease.longestAsked()) : null);
    }

    /** Has a holder id released that somebody else asks for: if that fails, the next one asks again. */
    void releaseOnce(Claim claim) {
        effects.add(new Effect.Withdraw(new OwedRelease(claim, now, now)));
    }

    /** Whether a holder id is being released already. */
    boolean owes(HolderId id) {
        for (OwedRelease release : owed) {
            if (release.claim.holder().equals(id)) {
                return true;
            }
        }
        return false;
    }

    void owedAnswered(OwedRelease release, @Nullable BackendFailure failure) {
        if (!owed.contains(release)) {
            took(Transition.OWED_ONCE);
        } else if (failure == null) {
            took(Transition.OWED_PAID);
            owed.remove(release);
            settled(release, null);
        } else if (closed || release.over(now)) {
            took(Transition.OWED_GIVEN_UP);
            owed.remove(release);
            settled(release, null);
            effects.add(
                    new Effect.Report(new Notice.ReleaseGivenUp(name, release.claim.holder(), failure.getMessage())));
        } else {
            took(Transition.OWED_FAILED);
            setAlarm(release, release.nextTry(now));
        }
    }

    /** The last one first: of several waits that end, none is to ask only because the one before it has left. */
    List<Contender> waitingLastFirst() {
        List<Contender> all = new ArrayList<>(waiting);
        Collections.reverse(all);
        return all;
    }

    void setAlarm(Contender contender) {
        setAlarm(contender, contender.nextMoment(now));
    }

    void setAlarm(HeldLease lease) {
        setAlarm(lease, lease.nextMoment());
    }

    void setAlarm(Timed subject, long moment) {
        if (subject.alarm != moment) {
            effects.add(new Effect.Wake(subject));
            subject.alarm = moment;
        }
    }
}
