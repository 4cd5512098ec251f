package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock name in one client: its queue, its leases and its pending releases, with the clock and the effects of the
 * present event, and the changes that involve more than one of the three. Not thread-safe.
 */
final class LockState {
    final LockName name;
    final EngineSettings settings;
    final Supplier<HolderId> holderIds;
    private final Consumer<Transition> trace;

    /** Null unless the grants of this lock may be kept. */
    final @Nullable Keeping keeping;

    final ContenderQueue queue = new ContenderQueue();
    final Leases leases;
    final PendingReleases releases;

    /** A grant without a lease, on which the next lease may begin. While there is one, no contender waits and no lease is held. */
    @Nullable
    KeptGrant kept;

    long failingSince = Timed.NEVER;

    /** The moment when the lock was last granted to this client or refused to it. */
    long heldAt = Long.MIN_VALUE;

    /** Tokens of the server up to this one end with their lease. */
    long tokenFloor;

    int floorsRaised;

    /** Makes the requests that give leases back once the client closes; null before. */
    @Nullable
    RequestExecutor closing;

    /** The time of the present event. */
    long now;

    List<Effect> effects = List.of();

    LockState(
            NameAndCapacity about,
            EngineSettings settings,
            Supplier<HolderId> holderIds,
            Consumer<Transition> trace,
            @Nullable Keeping keeping) {
        this.name = about.name();
        this.settings = settings;
        this.holderIds = holderIds;
        this.trace = trace;
        this.keeping = about.shared() ? null : keeping;
        this.leases = Leases.of(this, about);
        this.releases = new PendingReleases(this);
    }

    boolean idle() {
        return leases.isEmpty() && answered();
    }

    /** True if no contender waits, no grant is kept and the server has answered everything. */
    boolean answered() {
        return kept == null && queue.idle() && leases.notifying == 0 && releases.answered();
    }

    void took(Transition transition) {
        trace.accept(transition);
    }

    @Override
    public String toString() {
        return "lock " + name + ": " + queue.waiting.size() + " waiting, " + queue.unanswered + " requests, "
                + releases.unanswered + " releases unanswered, " + leases.notifying + " being notified, "
                + releases.pending.size() + " releases pending, " + leases;
    }

    /** The claim that a contender sends now. */
    Claim claimOf(Contender contender) {
        return keeping == null ? contender.claim() : contender.claim(keeping.worthwhile(name));
    }

    /** The lead of the wall clock over the engine's; zero unless grants may be kept. */
    long clockDifference() {
        return keeping == null ? 0 : keeping.clockDifference();
    }

    void ask(Contender contender) {
        long wallClockAhead = clockDifference();
        lookBack(contender, null);
        effects.add(new Effect.Acquire(contender, claimOf(contender), contender.nextRequest()));
        contender.ask(null, wallClockAhead, floorsRaised);
        queue.unanswered++;
        setAlarm(contender);
    }

    /** Lets the next contenders ask, unless a lease is in the way or begins in this event. */
    void askNext() {
        if (closing == null && queue.beginning == null && leases.holder() == null) {
            leases.askNext();
        }
    }

    /**
     * A contender that is about to ask notes what this client has given up and the server may still have, except for the lease that its
     * own request gives back.
     */
    void lookBack(Contender contender, @Nullable HeldLease inPlaceOf) {
        if (contender.looksBack(now)) {
            queue.behind(contender, given(inPlaceOf));
        }
    }

    private List<Timed> given(@Nullable HeldLease except) {
        if (releases.answered() && queue.left.isEmpty() && leases.noneGivenUp()) {
            return List.of();
        }
        List<Timed> given = new ArrayList<>(releases.pending);
        given.addAll(queue.left);
        for (HeldLease lease : leases.all()) {
            if (lease != except && leases.isGivenUp(lease)) {
                given.add(lease);
            }
        }
        return given.isEmpty() ? List.of() : given;
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
