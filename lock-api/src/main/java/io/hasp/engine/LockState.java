package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one client knows of one lock name, and the changes that all steps share. What needs memory comes first in
 * each of them, so that one that breaks off has counted nothing that it did not ask for. Not thread-safe.
 */
final class LockState {
    /** A request may be on its way for a while before its lease begins. */
    private static final long LONGEST_WAY = TimeUnit.MINUTES.toNanos(5);

    final LockName name;
    final EngineSettings settings;
    final Supplier<HolderId> holderIds;
    private final Consumer<Transition> trace;

    final ArrayDeque<Contender> waiting = new ArrayDeque<>(2);

    @Nullable
    HeldLease holder;

    /** Who is about to be told of its lease. */
    @Nullable
    Contender beginning;

    long failingSince = Timed.NEVER;
    /** When the lock was last granted to this client or refused to it. */
    long heldAt = Long.MIN_VALUE;
    /** Tokens of the server's that are not above this one end with their lease. */
    long tokenFloor;
    /** Whether a wait has ended that could not be decided: the next thing that is learned decides it. */
    boolean overdue;
    /** Requests for the lock that are not answered. */
    int unanswered;
    /** Releases of leases that are not answered. */
    int releasing;
    /** Leases at their end whose observers are being told. */
    int telling;

    List<OwedRelease> owed = List.of();
    /** Where what is held is given back once the client closes; null before. */
    @Nullable
    RequestExecutor closing;

    boolean closed;

    /** Of the event that is being applied. */
    long now;

    List<Effect> effects = List.of();

    LockState(LockName name, EngineSettings settings, Supplier<HolderId> holderIds, Consumer<Transition> trace) {
        this.name = name;
        this.settings = settings;
        this.holderIds = holderIds;
        this.trace = trace;
    }

    boolean idle() {
        return holder == null
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
                + (holder == null
                        ? "no lease"
                        : "a lease that is " + holder.life().state());
    }

    /** The contender makes a request. */
    void ask(Contender contender) {
        effects.add(new Effect.Acquire(contender, contender.claim()));
        contender.ask(null);
        unanswered++;
        setAlarm(contender);
    }

    /** The first one goes on, unless it asks already or another one has just got the lock. */
    void askFirst() {
        Contender first = waiting.peekFirst();
        if (first != null && !first.inFlight() && closing == null && beginning == null) {
            ask(first);
        }
    }

    /** Has a holder id that belongs to nobody any more released until that is answered. */
    void owe(Claim claim, Duration lease) {
        long until = settings.sessions() ? Nanos.FOREVER : now + Nanos.of(lease) + LONGEST_WAY;
        OwedRelease release = new OwedRelease(claim, until);
        if (owed.isEmpty()) {
            owed = new ArrayList<>(2);
        }
        effects.add(new Effect.Withdraw(release));
        owed.add(release);
    }

    void owedAnswered(OwedRelease release, @Nullable BackendFailure failure) {
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
