package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one client knows of one lock name, and the one method that changes it. No lock, clock, thread, future or
 * I/O in it: it takes an event and the time, and says what is to be done. Not thread-safe; its {@link LockDriver} applies one
 * event at a time. Each step is a row of the table in docs/engine.md.
 *
 * <p>Contenders are served first come, first served. Only the first talks to the server, and only while no lease of this client
 * is alive: that alone removes the herd. A contender without a wait passes by the others, and asks once.
 */
final class LockMachine {
    /** How long observers that block may hold up the release of a lease that has come to its end. */
    private static final long LONGEST_TELLING = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);
    /** A request may be on its way for a while before its lease begins. */
    private static final long LONGEST_WAY = TimeUnit.MINUTES.toNanos(5);

    private static final LeaseLife.Event TICKED = new LeaseLife.Event.Ticked();
    private static final LeaseLife.Event GIVEN_BACK = new LeaseLife.Event.GivenBack();

    final LockName name;
    private final Settings settings;
    private final Supplier<HolderId> holderIds;
    private final Consumer<Transition> trace;

    private final ArrayDeque<Contender> waiting = new ArrayDeque<>(2);
    private @Nullable HeldLease holder;
    private long failingSince = Timed.NEVER;
    /** When the lock was last granted to this client or refused to it. */
    private long heldAt = Long.MIN_VALUE;
    /** Tokens of the server's that are not above this one end with their lease. */
    private long tokenFloor;
    /** Whether a wait has ended that could not be decided: whoever learns something decides it. */
    private boolean overdue;
    /** Requests for the lock that are not answered. */
    private int unanswered;
    /** Releases of leases that are not answered. */
    private int releasing;
    /** Leases at their end whose observers are being told. */
    private int telling;

    private List<OwedRelease> owed = List.of();
    /** Where what is held is given back once the client closes; null before. */
    private @Nullable Turns closing;

    private boolean closed;

    /** Of the event that is being applied. */
    private long now;

    private List<Effect> effects = List.of();

    LockMachine(LockName name, Settings settings, Supplier<HolderId> holderIds, Consumer<Transition> trace) {
        this.name = name;
        this.settings = settings;
        this.holderIds = holderIds;
        this.trace = trace;
    }

    /** A contender that may join. */
    Contender contender(Terms terms, Turns turns, long wait, long joinedAt) {
        return new Contender(Contender.claim(name, holderIds.get(), terms, wait), terms, turns, joinedAt, wait);
    }

    /** The lease that stands in everybody's way; null if there is none. */
    @Nullable
    HeldLease holder() {
        return holder;
    }

    /** Whether nothing is left to do: whatever comes later may begin anew. */
    boolean idle() {
        return holder == null
                && waiting.isEmpty()
                && unanswered == 0
                && releasing == 0
                && telling == 0
                && owed.isEmpty();
    }

    /** Applies an event; adds what is to be done to {@code to}, in order. */
    void on(Event event, long at, List<Effect> to) {
        now = at;
        effects = to;
        if (event instanceof Event.Joined e) {
            joined(e.contender());
        } else if (event instanceof Event.Answered e) {
            answered(e.contender(), e.sentAt(), e.attempt(), e.failure());
        } else if (event instanceof Event.GivenBack e) {
            givenBack(e.lease(), e.call());
        } else if (event instanceof Event.ReleaseAnswered e) {
            releaseAnswered(e.lease(), e.found(), e.failure());
        } else if (event instanceof Event.Slept e) {
            slept(e.contender());
        } else if (event instanceof Event.TimePassed e) {
            timePassed(e.subject(), e.by());
        } else if (event instanceof Event.Signalled e) {
            signalled(e.contender(), e.holder(), e.signal());
        } else if (event instanceof Event.Renewed e) {
            renewed(e.lease(), e.sentAt(), e.renewal());
        } else {
            onRare(event);
        }
    }

    private void onRare(Event event) {
        if (event instanceof Event.GaveUp e) {
            took(Transition.GAVE_UP);
            finish(e.contender(), e.outcome());
        } else if (event instanceof Event.Dropped e) {
            dropped(e.contender());
        } else if (event instanceof Event.OwedAnswered e) {
            owedAnswered(e.owed(), e.failure());
        } else if (event instanceof Event.Extending e) {
            took(Transition.EXTENDING);
            e.lease().asks(e.asked());
        } else if (event instanceof Event.Extended e) {
            extended(e.lease(), e.sentAt(), e.asked());
        } else if (event instanceof Event.Told e) {
            told(e.lease());
        } else if (event instanceof Event.FloorRaised e) {
            took(Transition.FLOOR_RAISED);
            tokenFloor = Math.max(tokenFloor, e.serverToken());
        } else if (event instanceof Event.Closing e) {
            close(e.turns());
        } else {
            closed();
        }
    }

    private void took(Transition transition) {
        trace.accept(transition);
    }

    // Contenders

    private void joined(Contender contender) {
        if (closing != null) {
            took(Transition.JOINED_CLOSING);
            finish(contender, Outcome.CLOSED);
        } else if (contender.waits()) {
            waiting.add(contender);
            boolean first = holder == null && waiting.peekFirst() == contender;
            took(first ? Transition.JOINED_FIRST : Transition.JOINED_BEHIND);
            if (first) {
                ask(contender);
            }
        } else if (holderState() == LeaseLife.State.HELD) {
            took(Transition.TRIED_HELD_HERE);
            contended(contender);
        } else {
            took(Transition.TRIED);
            ask(contender);
        }
    }

    /** Null if this client has no lease. */
    private LeaseLife.@Nullable State holderState() {
        if (holder != null) {
            advance(holder, TICKED);
        }
        return holder == null ? null : holder.life().state();
    }

    private void ask(Contender contender) {
        contender.ask(null);
        unanswered++;
        effects.add(new Effect.Acquire(contender, contender.claim()));
        setAlarm(contender);
    }

    /** The first one goes on, unless it asks already. */
    private void askFirst() {
        Contender first = waiting.peekFirst();
        if (first != null && !first.inFlight() && closing == null) {
            ask(first);
        }
    }

    private void answered(
            Contender contender, long sentAt, @Nullable Attempt attempt, @Nullable BackendFailure failure) {
        unanswered--;
        HeldLease predecessor = contender.takePredecessor();
        if (predecessor != null && holder == predecessor) {
            holder = null;
        }
        boolean ended = contender.ended();
        contender.answered(attempt, failure);
        if (ended) {
            answeredTooLate(contender, attempt, failure);
        } else if (failure != null) {
            failed(contender, sentAt, failure);
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(contender, sentAt, granted.grant());
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(contender, Nanos.of(busy.pollAfter()));
        } else {
            gone(contender);
        }
        if (predecessor != null && holder == null && waiting.peekFirst() != contender) {
            askFirst();
        }
    }

    /** What it left on the server has been withdrawn already; that may have overtaken the request that this answers. */
    private void answeredTooLate(Contender contender, @Nullable Attempt attempt, @Nullable BackendFailure failure) {
        boolean left = failure != null
                ? failure.outcome() == BackendFailure.Outcome.UNKNOWN
                : attempt instanceof Attempt.Granted
                        || (attempt instanceof Attempt.Busy && contender.claim().queue());
        took(left ? Transition.ANSWERED_LATE_LEFT : Transition.ANSWERED_LATE);
        if (left) {
            owe(contender.claim(), contender.claim().lease());
        }
        if (failure != null) {
            failOverdue(failure);
        } else if (attempt instanceof Attempt.Busy) {
            heldAt = now;
            learned();
        }
    }

    private void granted(Contender contender, long sentAt, Grant grant) {
        long validity = Nanos.of(grant.validity());
        long deadline = sentAt + validity - Nanos.drift(validity);
        if (now >= deadline) {
            took(Transition.GRANTED_LATE);
            discard(contender, grant);
            String why = "the grant arrived after its validity of " + grant.validity() + " had passed";
            BackendFailure failure = unusable(BackendFailure.Kind.UNAVAILABLE, why);
            contender.note(failure);
            failed(contender, sentAt, failure);
        } else if (!FencingTokens.canCarry(grant.token())) {
            took(Transition.GRANTED_BAD_TOKEN);
            discard(contender, grant);
            String why = "the token " + grant.token() + " on the server is out of range";
            fail(contender, unusable(BackendFailure.Kind.INCOMPATIBLE, why));
        } else if (contender.news() == Signal.LOST) {
            took(Transition.GRANTED_LOST);
            discard(contender, grant);
            proceed(contender);
        } else {
            took(closing == null ? Transition.GRANTED : Transition.GRANTED_CLOSING);
            HeldLease lease = new HeldLease(grant, contender.terms, settings, sentAt, deadline, now);
            hold(contender, lease);
            // Not before: it may end the lease, which then has to make way for the next one.
            Signal news = contender.news();
            if (news != null) {
                leaseSignalled(lease, news);
            }
        }
    }

    private static BackendFailure unusable(BackendFailure.Kind kind, String message) {
        return new BackendFailure(kind, BackendFailure.Outcome.UNKNOWN, message, null);
    }

    /** A grant that is of no use: it is given back, and the contender goes on under a new holder id. */
    private void discard(Contender contender, Grant grant) {
        owe(grant.claim(), grant.claim().lease());
        startOver(contender);
    }

    private void startOver(Contender contender) {
        contender.startOver(Contender.claim(name, holderIds.get(), contender.terms, contender.wait));
    }

    private void proceed(Contender contender) {
        if (closing == null) {
            ask(contender);
        } else {
            finish(contender, Outcome.CLOSED);
        }
    }

    /** A new lease. If an older one believes to be alive still, the server knows better: it granted the lock again. */
    private void hold(Contender contender, HeldLease lease) {
        contender.finish();
        setAlarm(contender);
        waiting.remove(contender);
        HeldLease older = holder;
        holder = lease;
        failingSince = Timed.NEVER;
        heldAt = now;
        if (older != null && older.alive()) {
            advance(older, new LeaseLife.Event.Denied("the server granted the lock to another holder of this client"));
        }
        learned();
        if (closing != null) {
            effects.add(new Effect.Complete(contender, Outcome.CLOSED));
            givenBack(lease, new ReleaseCall(closing));
        } else {
            if (settings.observed()) {
                effects.add(new Effect.Report(new Notice.Acquired(name, now - contender.joinedAt, lease.token())));
            }
            effects.add(new Effect.Complete(contender, new Outcome.Acquired(lease)));
            setAlarm(lease);
        }
    }

    private void busy(Contender contender, long pollAfter) {
        failingSince = Timed.NEVER;
        heldAt = now;
        learned();
        if (contender.isOver(now)) {
            took(Transition.REFUSED);
            contended(contender);
        } else {
            took(contender.signalled() ? Transition.BUSY_SIGNALLED : Transition.BUSY);
            rest(contender, Math.max(pollAfter, SHORTEST_POLL));
        }
    }

    private void gone(Contender contender) {
        failingSince = Timed.NEVER;
        startOver(contender);
        boolean again = contender.tolerates();
        if (again || !contender.isOver(now)) {
            took(again ? Transition.GONE : Transition.GONE_AGAIN);
            rest(contender, again ? 0 : contender.firstBackOff());
        } else {
            took(Transition.GONE_FOR_GOOD);
            fail(contender, unusable(BackendFailure.Kind.UNAVAILABLE, "the backend takes no new holder id"));
        }
    }

    private void failed(Contender contender, long sentAt, BackendFailure failure) {
        if (failure.kind() != BackendFailure.Kind.UNAVAILABLE) {
            took(Transition.FAILED_FOR_GOOD);
            fail(contender, failure);
            return;
        }
        failingSince = Math.min(failingSince, sentAt);
        failOthers(contender, failure);
        learned();
        if (contender.isOver(now) || hasFailedTooLong(contender)) {
            took(Transition.FAILED_TOO_LONG);
            fail(contender, failure);
        } else {
            took(Transition.FAILED);
            rest(contender, contender.nextBackOff());
        }
    }

    /** The last one first, so that none asks because one before it left, only to be failed as well. */
    private void failOthers(Contender contender, BackendFailure failure) {
        List<Contender> others = new ArrayList<>(waiting);
        Collections.reverse(others);
        for (Contender other : others) {
            if (other != contender && hasFailedTooLong(other)) {
                took(Transition.FAILED_OTHERS);
                fail(other, failure);
            }
        }
    }

    /** Whether the backend has been unavailable for too long of this contender's own wait. */
    private boolean hasFailedTooLong(Contender contender) {
        long limit = Math.min(settings.unavailableAfter(), contender.wait);
        return now - Math.max(failingSince, contender.joinedAt) >= limit;
    }

    private void rest(Contender contender, long pause) {
        if (contender.signalled() || pause <= 0) {
            proceed(contender);
        } else {
            contender.rest(now + pause);
            setAlarm(contender);
        }
    }

    private void dropped(Contender contender) {
        took(Transition.DROPPED);
        unanswered--;
        HeldLease predecessor = contender.takePredecessor();
        contender.dropped();
        if (predecessor != null && holder == predecessor) {
            holder = null;
            askFirst();
        }
    }

    private void signalled(Contender contender, HolderId holderId, Signal signal) {
        if (!contender.ended() && contender.claim().holder().equals(holderId)) {
            contender.hear(signal);
            boolean wakes = signal != Signal.SUSPECT && contender.is(Contender.Phase.RESTING);
            took(wakes ? Transition.SIGNALLED_RESTING : Transition.SIGNALLED_ASKING);
            if (wakes) {
                ask(contender);
            }
        } else if (holder != null && holder.grant.claim().holder().equals(holderId)) {
            leaseSignalled(holder, signal);
        } else {
            took(Transition.SIGNALLED_NOBODY);
        }
    }

    /** The wait may be over already. */
    private void slept(Contender contender) {
        took(Transition.SLEPT);
        contender.watch();
        timePassed(contender);
        setAlarm(contender);
    }

    /** Time means something to a contender: it asks again, or its wait is over. */
    private void timePassed(Contender contender) {
        if (contender.ended()) {
            return;
        }
        if (contender.rested(now)) {
            took(Transition.POLLED);
            ask(contender);
        }
        if (contender.looksNow(now)) {
            took(Transition.LOOKED);
            if (holder == null) {
                askFirst();
            }
        }
        if (contender.isOver(now) && !decided(contender)) {
            took(Transition.OVERDUE);
            overdue = true;
        }
    }

    /** The wait is over: ends it if that can be decided by what is known. */
    private boolean decided(Contender contender) {
        boolean queued = contender.is(Contender.Phase.QUEUED);
        Contender.Evidence evidence = queued ? evidence() : contender.evidence();
        if (evidence == Contender.Evidence.FAILED) {
            took(Transition.OVER_FAILED);
            fail(contender, Objects.requireNonNull(queued ? whyFailed() : contender.lastFailure()));
        } else if (evidence == Contender.Evidence.BUSY || (queued && heldAt >= contender.end())) {
            took(Transition.OVER_CONTENDED);
            contended(contender);
        } else {
            return false;
        }
        return true;
    }

    /** What is known about the lock on behalf of a contender that was never the first. */
    private Contender.Evidence evidence() {
        LeaseLife.State state = holderState();
        if (state != null) {
            return switch (state) {
                case HELD -> Contender.Evidence.BUSY;
                case SUSPECT -> Contender.Evidence.FAILED;
                case LOST, RELEASED -> Contender.Evidence.UNANSWERED;
            };
        }
        Contender first = waiting.peekFirst();
        return first == null ? Contender.Evidence.UNANSWERED : first.evidence();
    }

    private @Nullable BackendFailure whyFailed() {
        Contender first = waiting.peekFirst();
        return holder != null ? holder.whyDoubted() : first == null ? null : first.lastFailure();
    }

    /** Something was learned that may decide waits that have ended. */
    private void learned() {
        if (!overdue) {
            return;
        }
        overdue = false;
        for (Contender contender : List.copyOf(waiting)) {
            if (contender.is(Contender.Phase.QUEUED) && contender.isOver(now) && !decided(contender)) {
                overdue = true;
            }
        }
    }

    /** Waits that have ended, and that nothing else decides, end with a failure that tells of the service. */
    private void failOverdue(BackendFailure failure) {
        if (overdue) {
            for (Contender contender : List.copyOf(waiting)) {
                if (contender.is(Contender.Phase.QUEUED) && contender.isOver(now)) {
                    took(Transition.OVER_FAILED);
                    fail(contender, failure);
                }
            }
        }
    }

    /** Ends without the lock because others hold it. */
    private void contended(Contender contender) {
        effects.add(new Effect.Report(new Notice.Contended(name, now - contender.joinedAt)));
        finish(contender, Outcome.CONTENDED);
    }

    private void fail(Contender contender, BackendFailure failure) {
        if (failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
            effects.add(new Effect.Report(new Notice.OutcomeUnknown(name)));
        }
        finish(contender, new Outcome.Failed(failure));
    }

    /** Ends without a lease, and withdraws what may be left on the server. */
    private void finish(Contender contender, Outcome outcome) {
        if (contender.ended()) {
            return;
        }
        if (contender.mayBeOnServer()) {
            owe(contender.claim(), contender.claim().lease());
        }
        boolean first = waiting.peekFirst() == contender;
        contender.finish();
        setAlarm(contender);
        waiting.remove(contender);
        effects.add(new Effect.Complete(contender, outcome));
        if (first && holder == null) {
            askFirst();
        }
    }

    // Leases

    private void givenBack(HeldLease lease, ReleaseCall call) {
        LeaseLife.State before = advance(lease, GIVEN_BACK);
        if (before == LeaseLife.State.RELEASED) {
            took(Transition.RELEASED_TWICE);
            effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.ALREADY_RELEASED));
        } else if (lease.life().state() == LeaseLife.State.LOST) {
            took(Transition.RELEASED_LOST);
            effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        } else {
            setAlarm(lease);
            passOn(lease, call);
        }
    }

    /**
     * To the next local contender without a round trip if that is allowed; else back to the server, in one flight with the next
     * contender's first request if it has not asked yet. One that waits on the server under a holder id of its own asks again for
     * itself: a second request of that id would queue it behind itself.
     */
    private void passOn(HeldLease lease, ReleaseCall call) {
        Contender next = holder == lease ? waiting.peekFirst() : null;
        if (next != null && next.takes(lease) && lease.handOffAllowed(now) && lease.grant.token() > tokenFloor) {
            took(Transition.HANDED_OFF);
            handOff(lease, next);
            effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
            return;
        }
        lease.releaseCall = call;
        releasing++;
        if (next != null && !next.everSent()) {
            took(Transition.TRANSFERRED);
            next.ask(lease);
            unanswered++;
            effects.add(new Effect.Transfer(lease, next, next.claim()));
            setAlarm(next);
        } else {
            took(Transition.RELEASED);
            effects.add(new Effect.Release(lease));
        }
    }

    private void handOff(HeldLease lease, Contender next) {
        if (next.mayBeOnServer()) {
            owe(next.claim(), next.claim().lease());
        }
        HeldLease successor = lease.successor(next.terms, now);
        effects.add(new Effect.Report(new Notice.HandedOff(name, successor.token())));
        hold(next, successor);
    }

    private void releaseAnswered(HeldLease lease, @Nullable Released found, @Nullable BackendFailure failure) {
        releasing--;
        ReleaseCall call = Objects.requireNonNull(lease.releaseCall);
        if (failure != null) {
            took(Transition.RELEASE_FAILED);
            owe(lease.grant.claim(), lease.longestAsked());
            effects.add(new Effect.FailRelease(call, failure));
            failOverdue(failure);
        } else if (found == Released.RELEASED) {
            took(Transition.RELEASE_CONFIRMED);
            effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
            heldAt = now;
            learned();
        } else {
            took(Transition.RELEASE_FOUND_LOST);
            lease.foundLost();
            effects.add(new Effect.Report(new Notice.Lost(name, lease.token(), Objects.requireNonNull(lease.loss()))));
            effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        }
        ended(lease);
    }

    /** The lease no longer stands in anybody's way. */
    private void ended(HeldLease lease) {
        if (holder == lease) {
            holder = null;
            askFirst();
        }
    }

    private void leaseSignalled(HeldLease lease, Signal signal) {
        switch (signal) {
            case SUSPECT -> {
                took(Transition.LEASE_DOUBTED);
                lease.doubt();
                advance(lease, new LeaseLife.Event.Doubted(""));
            }
            case LOST -> {
                took(Transition.LEASE_DENIED);
                lease.doubt();
                advance(lease, new LeaseLife.Event.Denied("the backend reports that it is gone"));
            }
            case RESTORED -> {
                took(Transition.LEASE_RESTORED);
                lease.renewAt(now);
            }
            case MAYBE_FREE -> took(Transition.SIGNALLED_NOBODY);
        }
        setAlarm(lease);
    }

    private void timePassed(Timed subject, long by) {
        if (subject instanceof Contender contender) {
            contender.alarm = Timed.NEVER;
            timePassed(contender);
            setAlarm(contender);
        } else if (subject instanceof HeldLease lease) {
            timePassed(lease, by);
            setAlarm(lease);
        } else if (subject instanceof OwedRelease due && owed.contains(due)) {
            took(Transition.OWED_AGAIN);
            due.alarm = Timed.NEVER;
            effects.add(new Effect.Withdraw(due));
        }
    }

    private void timePassed(HeldLease lease, long by) {
        if (lease.toldBy > 0 && now >= lease.toldBy) {
            told(lease);
        } else if (lease.alive()) {
            advance(lease, TICKED);
            if (lease.beginRenewal(by)) {
                took(Transition.RENEWAL_DUE);
                effects.add(new Effect.Renew(lease));
            }
        }
    }

    private void renewed(HeldLease lease, long sentAt, Renewal renewal) {
        took(
                renewal instanceof Renewal.Renewed
                        ? Transition.RENEWED
                        : renewal instanceof Renewal.Lost ? Transition.RENEWAL_DENIED : Transition.RENEWAL_FAILED);
        advance(lease, lease.endRenewal(sentAt, renewal, now));
        if (renewal instanceof Renewal.Renewed && lease.life().state() == LeaseLife.State.HELD) {
            effects.add(new Effect.Report(
                    new Notice.Renewed(name, lease.token(), lease.life().deadline() - now)));
        }
        setAlarm(lease);
    }

    /** Its end moves, and never to an earlier moment. */
    private void extended(HeldLease lease, long sentAt, long asked) {
        took(Transition.EXTENDED);
        long cap = Math.max(lease.life().cap(), sentAt + asked - Nanos.drift(asked));
        advance(lease, new LeaseLife.Event.Recapped(cap));
        setAlarm(lease);
    }

    /** Tells what it was before. */
    private LeaseLife.State advance(HeldLease lease, LeaseLife.Event event) {
        LeaseLife.State before = lease.advance(event, now);
        if (lease.life().state() != before) {
            changed(lease, lease.life());
        }
        return before;
    }

    private void changed(HeldLease lease, LeaseLife life) {
        switch (life.state()) {
            case LOST -> lost(lease, life);
            case SUSPECT -> {
                took(Transition.LEASE_SUSPECT);
                tell(lease, new Notice.Suspect(name, lease.token(), life.deadline() - now));
            }
            case HELD -> {
                took(Transition.LEASE_CONFIRMED);
                tell(lease, new Notice.Confirmed(name, lease.token()));
            }
            case RELEASED -> {
                if (settings.observed()) {
                    effects.add(new Effect.Report(new Notice.Released(name, lease.token(), lease.heldFor(now))));
                }
                if (lease.hasListeners()) {
                    effects.add(new Effect.Tell(lease, false));
                }
            }
        }
    }

    private void tell(HeldLease lease, Notice notice) {
        effects.add(new Effect.Report(notice));
        effects.add(new Effect.Tell(lease, false));
    }

    /** The server still keeps a lock that came to the end of its time here: its holder hears of that before another can begin. */
    private void lost(HeldLease lease, LeaseLife life) {
        Notice notice = new Notice.Lost(name, lease.token(), life.reason());
        if (life.deadline() == life.cap() && lease.observed()) {
            took(Transition.LEASE_OVER_TELLING);
            effects.add(new Effect.Report(notice));
            effects.add(new Effect.Tell(lease, true));
            lease.toldBy = now + LONGEST_TELLING;
            telling++;
            setAlarm(lease);
        } else {
            took(Transition.LEASE_LOST);
            tell(lease, notice);
            giveUp(lease);
        }
    }

    private void told(HeldLease lease) {
        if (lease.toldBy > 0) {
            took(Transition.LEASE_OVER_TOLD);
            lease.toldBy = 0;
            telling--;
            giveUp(lease);
        }
    }

    private void giveUp(HeldLease lease) {
        owe(lease.grant.claim(), lease.longestAsked());
        setAlarm(lease);
        ended(lease);
    }

    // What is owed, alarms, closing

    private void owe(Claim claim, Duration lease) {
        long until = settings.sessions() ? Nanos.FOREVER : now + Nanos.of(lease) + LONGEST_WAY;
        OwedRelease release = new OwedRelease(claim, until);
        if (owed.isEmpty()) {
            owed = new ArrayList<>(2);
        }
        owed.add(release);
        effects.add(new Effect.Withdraw(release));
    }

    private void owedAnswered(OwedRelease release, @Nullable BackendFailure failure) {
        if (failure == null) {
            took(Transition.OWED_PAID);
            owed.remove(release);
        } else if (closed || release.over(now)) {
            took(Transition.OWED_GIVEN_UP);
            owed.remove(release);
            effects.add(
                    new Effect.Report(new Notice.ReleaseGivenUp(name, release.claim.holder(), failure.getMessage())));
        } else {
            took(Transition.OWED_FAILED);
            setAlarm(release, release.nextTry(now));
        }
    }

    private void setAlarm(Contender contender) {
        setAlarm(contender, contender.nextMoment(now));
    }

    private void setAlarm(HeldLease lease) {
        setAlarm(lease, lease.nextMoment());
    }

    private void setAlarm(Timed subject, long moment) {
        if (subject.alarm != moment) {
            subject.alarm = moment;
            effects.add(new Effect.Wake(subject));
        }
    }

    private void close(Turns turns) {
        took(Transition.CLOSING);
        if (closing != null) {
            return;
        }
        closing = turns;
        for (Contender contender : List.copyOf(waiting)) {
            finish(contender, Outcome.CLOSED);
        }
        if (holder != null && holder.alive()) {
            givenBack(holder, new ReleaseCall(turns));
        }
    }

    private void closed() {
        took(Transition.CLOSED);
        closed = true;
        for (OwedRelease release : List.copyOf(owed)) {
            setAlarm(release, Timed.NEVER);
        }
    }
}
