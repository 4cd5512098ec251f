package io.hasp.simulator.clients;

import io.hasp.Lease;
import io.hasp.Term;
import io.hasp.TermAction;
import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The work of one candidate in its terms. It resigns, returns, throws, and stops when it is interrupted, at once or late. */
final class SimulatedWork implements TermAction {
    private final SimulatedCaller holder;
    private final World world;
    private final Executor threads;
    private final Duration pause;
    private @Nullable SteppedWork present;
    private InterruptibleWork interrupts = new InterruptibleWork();
    private long pausesUntil;

    /**
     * Creates it.
     *
     * @param threads where a term's work begins
     * @param pause the shortest one after a failure
     */
    SimulatedWork(SimulatedCaller holder, Executor threads, Duration pause) {
        this.holder = holder;
        this.world = holder.client.world;
        this.threads = threads;
        this.pause = pause;
        this.pausesUntil = world.now();
    }

    @Override
    public void run(Term term) {
        throw new AssertionError("its steps are made instead");
    }

    /** The client starts the work of a term. */
    void started(SteppedWork work) {
        threads.execute(() -> begin(work));
    }

    private void begin(SteppedWork work) {
        InterruptibleWork begun = new InterruptibleWork();
        if (!work.begin(() -> interrupted(work, begun))) {
            holder.note("does not begin its work");
            return;
        }
        TrackedLease tracked = holder.tracked;
        if (present != null || tracked == null || (work.term().ended() && !begun.stops() && !isLost(work))) {
            throw world.violated("work begins in its term", holder + " works in " + work.term());
        }
        holder.note("begins its work");
        present = work;
        interrupts = begun;
        tracked.work = begun;
    }

    private void interrupted(SteppedWork work, InterruptibleWork begun) {
        holder.note("is interrupted in its work");
        begun.interrupt(world.now());
        threads.execute(() -> {
            if (present == work && (world.healed() || !world.choices.oneIn(4))) {
                end(false);
            }
        });
    }

    boolean runs() {
        return present != null;
    }

    /** It resigns itself, which does not interrupt it. */
    void calls(Runnable call) {
        Objects.requireNonNull(present).calls(call);
    }

    void end(boolean fails) {
        SteppedWork ended = Objects.requireNonNull(present);
        holder.note(fails ? "fails in its work" : "ends its work");
        if (fails && !interrupts.stops() && !isLost(ended)) {
            pausesUntil = world.now() + pause.toNanos();
        }
        present = null;
        interrupts.end();
        ended.end(fails ? new UserCodeException() : null);
    }

    private boolean isLost(SteppedWork work) {
        Lease lease = holder.client.driver.leaseOf(work.term());
        return holder.client.driver.knowsOfLoss(lease);
    }

    /** All has healed: work whose term has ended does not go on. */
    void heal() {
        SteppedWork late = present;
        if (late != null) {
            threads.execute(() -> {
                if (present == late && late.term().ended()) {
                    end(false);
                }
            });
        }
    }

    /** The candidate resigned or was closed, and its work did not call that. */
    void mustStop() {
        if (present != null && !interrupts.stops()) {
            throw world.violated("a resignation interrupts the work", holder + " works in " + present.term());
        }
    }

    /** The candidate is elected. */
    void elected() {
        if (present != null) {
            throw world.violated("work has ended before the next term", holder + " works in " + present.term());
        }
        if (world.now() < pausesUntil) {
            throw world.violated("a candidate pauses when its work has failed", holder + " leads again");
        }
    }

    long state() {
        return present == null ? 0 : interrupts.stops() ? 1 : 2;
    }
}
