package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock name in one client, and the one method that changes it. No lock, clock, thread, future or
 * I/O in it: it takes an event and the time, and says what is to be done. Not thread-safe; its {@code LockDriver} applies one
 * event at a time. Each step is a row of the table in docs/internals/engine.md.
 *
 * <p>Contenders are served first come, first served. Only the first talks to the server, and only while no lease of this client
 * is alive: that alone removes the herd. A contender without a wait passes by the others, and asks once. Of a lock that several
 * may share, the first few talk to the server at once, each with a place of its own there: with one at a time, those of another
 * client would get between two that can enter together.
 *
 * <p>The steps are grouped by what they are about, and each group uses only those before it: {@link LeaseSteps},
 * {@link WaitEndSteps}, {@link KeepSteps}, {@link ReleaseSteps}, {@link AttemptSteps}.
 */
public final class LockMachine {
    private final NameAndCapacity about;
    private final LockState lock;

    public LockMachine(
            NameAndCapacity about, EngineSettings settings, Supplier<HolderId> holderIds, Consumer<Transition> trace) {
        this(about, settings, holderIds, trace, null);
    }

    /** One that keeps grants, unless {@code keeping} is null. */
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

    /** Whether nothing is left to do: whatever comes later may begin anew. */
    public boolean idle() {
        return lock.idle();
    }

    /** What it knows, for people who look for a fault. */
    @Override
    public String toString() {
        return lock.toString();
    }

    /** A contender that may join. */
    public Contender contender(LeaseTerms terms, RequestExecutor executor, long wait, long joinedAt) {
        return new Contender(
                Contender.claim(lock.name, lock.holderIds.get(), terms, wait), terms, executor, joinedAt, wait);
    }

    @Nullable
    public KeptGrant kept() {
        return lock.kept;
    }

    /** The lease that stands in everybody's way; null if there is none, as for a shared lock. */
    @Nullable
    public HeldLease holder() {
        return lock.leases.holder();
    }

    /** The leases that are in use. */
    public List<HeldLease> leasesInUse() {
        return lock.leases.all().stream().filter(HeldLease::alive).toList();
    }

    /** Whether nothing but leases in use is left to do. */
    public boolean answered() {
        return lock.answered() && lock.leases.all().stream().allMatch(HeldLease::alive);
    }

    /** Whether that lease is the present one of its holder id. */
    public boolean has(HeldLease lease) {
        return lock.leases.of(lease.grant.claim().holder()) == lease;
    }

    /** Applies an event; adds what is to be done to {@code to}, in order. */
    public void on(Event event, long at, List<Effect> to) {
        lock.now = at;
        lock.effects = to;
        event.apply(lock);
        if (lock.queue.takeSettled()) {
            AttemptSteps.goOnBehind(lock);
        }
    }
}
