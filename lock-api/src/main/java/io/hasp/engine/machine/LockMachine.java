package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock name in one client, and the one method that changes it. It has no lock, clock, thread, future or I/O: an event and
 * the time go in, effects come out. Not thread-safe; its {@code LockDriver} applies one event at a time. Each step is a row of the table in
 * docs/internals/engine.md.
 *
 * <p>Contenders are served first come, first served. Only the first one asks the server, and only while no lease of this client is alive:
 * that alone removes the herd. A contender without a wait overtakes the others, and asks once. Of a shared lock the first few ask at the
 * same time, each with a place of its own on the server. With one at a time, contenders of another client would get between two that can
 * enter together.
 *
 * <p>The steps are grouped by subject, and each group uses only those before it: {@link LeaseSteps}, {@link WaitEndSteps}, {@link
 * KeepSteps}, {@link ReleaseSteps}, {@link AttemptSteps}, {@link CloseSteps}.
 */
public final class LockMachine {
    private final NameAndCapacity about;
    private final LockState lock;

    public LockMachine(
            NameAndCapacity about, EngineSettings settings, Supplier<HolderId> holderIds, Consumer<Transition> trace) {
        this(about, settings, holderIds, trace, null);
    }

    /** A machine that keeps grants, unless {@code keeping} is null. */
    public LockMachine(
            NameAndCapacity about,
            EngineSettings settings,
            Supplier<HolderId> holderIds,
            Consumer<Transition> trace,
            @Nullable Keeping keeping) {
        this.about = about;
        lock = new LockState(about, settings, holderIds, trace, keeping);
    }

    public NameAndCapacity about() {
        return about;
    }

    /** True if nothing is left to do, so that a later event may begin with a new machine. */
    public boolean idle() {
        return lock.idle();
    }

    /** A summary of the state, for the search of a fault. */
    @Override
    public String toString() {
        return lock.toString();
    }

    /** Makes a contender that may join. */
    public Contender contender(LeaseTerms terms, RequestExecutor executor, long wait, long joinedAt) {
        return new Contender(
                Contender.claim(lock.name, lock.holderIds.get(), terms, wait), terms, executor, joinedAt, wait);
    }

    @Nullable
    public KeptGrant kept() {
        return lock.kept;
    }

    /** The lease that keeps contenders from asking; null if there is none, as for a shared lock. */
    @Nullable
    public HeldLease holder() {
        return lock.leases.holder();
    }

    /** The leases that are in use. */
    public List<HeldLease> leasesInUse() {
        return lock.leases.all().stream().filter(HeldLease::alive).toList();
    }

    /** True if nothing but leases in use is left. */
    public boolean answered() {
        return lock.answered() && lock.leases.all().stream().allMatch(HeldLease::alive);
    }

    /** True if that lease is the present one of its holder id. */
    public boolean has(HeldLease lease) {
        return lock.leases.of(lease.grant.claim().holder()) == lease;
    }

    /**
     * Begins the renewal of a lease: the event {@link Event.TimePassed} where it has no other effect. Returns false, and changes nothing, if
     * it has.
     */
    public boolean beginsRenewal(HeldLease lease, long at) {
        lock.now = at;
        return LeaseSteps.beginsOnlyRenewal(lock, lease);
    }

    /**
     * Confirms a lease: the event {@link Event.Renewed} where it only prolongs the lease. Returns false, and changes nothing, if it does
     * more.
     */
    public boolean confirms(HeldLease lease, long sentAt, Renewal.Renewed renewed, long at) {
        lock.now = at;
        return LeaseSteps.onlyConfirmed(lock, lease, sentAt, renewed);
    }

    /** Applies an event, and adds the effects to {@code to}, in order. */
    public void on(Event event, long at, List<Effect> to) {
        lock.now = at;
        lock.effects = to;
        event.apply(lock);
        if (lock.queue.takeSettled()) {
            AttemptSteps.goOnBehind(lock);
        }
    }
}
