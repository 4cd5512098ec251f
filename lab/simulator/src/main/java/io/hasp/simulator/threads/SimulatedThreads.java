package io.hasp.simulator.threads;

import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all clients of a run, and the objects of the program that run on them. In some runs a thread may be preempted where
 * it calls an executor or a listener, and objects of the program block for virtual time. In the others each task runs at a stretch.
 */
public final class SimulatedThreads {
    private static final long[] BLOCKED = {
        Duration.ofMillis(1).toNanos(),
        Duration.ofMillis(60).toNanos(),
        Duration.ofMillis(900).toNanos(),
        Duration.ofSeconds(8).toNanos()
    };

    /** For so many steps a thread that is preempted does not run, if others can. */
    private static final int LONGEST_AWAY = 64;

    /** A step of a caller may make several changes, each of which wakes one that waits. */
    private static final int MOST_WOKEN = 4;

    final World world;
    private final boolean simulated;
    private int atAStretch;
    /** True while the present part of a step runs on a thread that must not block. */
    private boolean mustNotBlock;

    private final List<Coroutine> suspended = new ArrayList<>();

    public SimulatedThreads(World world) {
        this.world = world;
        this.simulated = world.configuration.hasThreads();
    }

    /** Runs a task on a thread of a client; the owner is a caller, a pool or null. Returns when it ends or is suspended. */
    public void run(SimulatedProcess client, ThreadRole role, @Nullable Object owner, Runnable task) {
        if (!simulated || Coroutine.current() != null) {
            task.run();
            return;
        }
        Coroutine coroutine = new Coroutine(this, client, role, owner, task);
        // A change of real threads takes long on a busy machine.
        if (role.isPreempted() && !world.healed() && world.choices.oneIn(1)) {
            resume(coroutine);
        } else {
            coroutine.runHere();
        }
    }

    private void resume(Coroutine coroutine) {
        suspended.remove(coroutine);
        try {
            coroutine.resume();
        } finally {
            if (!coroutine.done()) {
                suspended.add(coroutine);
            }
        }
    }

    /** The number of that owner's threads that are suspended. */
    public int suspended(Object owner) {
        int count = 0;
        for (Coroutine coroutine : suspended) {
            count += coroutine.owner == owner ? 1 : 0;
        }
        return count;
    }

    public boolean noneSuspended() {
        return suspended.isEmpty();
    }

    /** The number of suspended threads of a client that can go on. */
    public int ready(SimulatedProcess client) {
        int count = 0;
        for (Coroutine coroutine : suspended) {
            count += isReady(coroutine, client) ? 1 : 0;
        }
        return count;
    }

    private boolean isReady(Coroutine coroutine, SimulatedProcess client) {
        return coroutine.client == client && coroutine.wakesAt <= world.now() && coroutine.runsAtStep <= world.steps();
    }

    /** Resumes one of the threads that are ready. */
    public void resume(SimulatedProcess client, int index) {
        int left = index;
        for (Coroutine coroutine : suspended) {
            if (isReady(coroutine, client) && left-- == 0) {
                resume(coroutine);
                return;
            }
        }
    }

    /** Returns the moment at which the first thread of a client continues. */
    public long nextWake(SimulatedProcess client) {
        long next = Long.MAX_VALUE;
        for (Coroutine coroutine : suspended) {
            next = coroutine.client == client ? Math.min(next, coroutine.wakesAt) : next;
        }
        return next;
    }

    /** A thread that is preempted gets the processor back before time passes. */
    public void hurry() {
        suspended.forEach(coroutine -> coroutine.runsAtStep = 0);
    }

    /** No object of the program blocks any more. */
    public void heal() {
        hurry();
        suspended.forEach(coroutine -> coroutine.wakesAt = Math.min(coroutine.wakesAt, world.now()));
    }

    /** The run is over. */
    public void cancel() {
        List.copyOf(suspended).forEach(Coroutine::cancel);
        suspended.clear();
    }

    /** Runs a part of a step on a thread that must not block: a timer's, the backend's own, or one that was interrupted. */
    public void withoutBlocking(Runnable part) {
        boolean outer = mustNotBlock;
        mustNotBlock = true;
        try {
            part.run();
        } finally {
            mustNotBlock = outer;
        }
    }

    /** Another thread goes on, on which that is allowed or not. Returns the former value. */
    boolean exchangeMustNotBlock(boolean now) {
        boolean before = mustNotBlock;
        mustNotBlock = now;
        return before;
    }

    /** A client makes a request, which may block. */
    public void mayBlock(SimulatedProcess client) {
        if (mustNotBlock) {
            throw world.violated(
                    "no request is made where it must not block",
                    "c" + client.index()
                            + " makes one on a timer's thread, the backend's, or one that was interrupted");
        }
    }

    /** The present thread hands a task to a pool. */
    public void handsOver(ThreadRole pool) {
        Coroutine present = Coroutine.current();
        if (present == null) {
            return;
        }
        if (present.role == ThreadRole.TIMER && !pool.servesTimers()) {
            throw world.violated(
                    "the timer starts nothing that users notice",
                    "the timer of c" + present.client.index() + " hands a task to a thread of the kind " + pool);
        }
    }

    /** The present thread begins a call. A thread that wakes it later may lose the processor to it. */
    public Runnable waker() {
        Coroutine caller = Coroutine.current();
        long begun = world.steps();
        return () -> {
            Coroutine present = Coroutine.current();
            if (present != null) {
                wakes(present, present != caller && begun > present.begunAtStep);
                preempts();
            }
        };
    }

    private void wakes(Coroutine present, boolean laterCall) {
        if (!laterCall || present.role != ThreadRole.CALLER || atAStretch > 0) {
            return;
        }
        if (++present.woken > MOST_WOKEN) {
            throw world.violated(
                    "a caller does no work of others",
                    present.owner + " has woken " + present.woken + " callers in one step that came after it began");
        }
    }

    /** Runs a part of the simulator. No other thread comes in between, and its calls of the engine are no work of the present thread. */
    public <T> T atAStretch(Supplier<T> part) {
        atAStretch++;
        try {
            return part.get();
        } finally {
            atAStretch--;
        }
    }

    /** Other threads may run now. */
    public void preempts() {
        Coroutine present = Coroutine.current();
        if (present != null && present.role.isPreempted() && mayGoOn(present) && world.choices.oneIn(1)) {
            present.runsAtStep = world.steps() + world.choices.below(LONGEST_AWAY);
            present.suspend(0);
        }
    }

    private boolean mayGoOn(Coroutine present) {
        return !world.healed() && present.maySuspend() && atAStretch == 0;
    }

    /** The engine calls an object of the program, on the present thread. */
    public void userCode(String what) {
        Coroutine present = Coroutine.current();
        if (present == null) {
            return;
        }
        if (!present.role.runsUserCode) {
            throw world.violated(
                    "user code runs on no thread of the engine",
                    what + " of c" + present.client.index() + " is called on a thread of the kind " + present.role);
        }
    }

    /** The engine renews leases or interrupts work on the present thread. A caller extends its lease itself. */
    public void engineCode(String what) {
        Coroutine present = Coroutine.current();
        if (present != null && present.role.runsUserCode && present.role != ThreadRole.CALLER) {
            throw world.violated(
                    "renewals and interrupts share no thread with user code",
                    what + " of c" + present.client.index() + " is made on a thread of the kind " + present.role);
        }
    }

    /** The object of the program that runs on the present thread blocks for a while, or not. */
    public void perhapsBlocks(String what) {
        Coroutine present = Coroutine.current();
        if (present != null && present.role.runsUserCode && mayGoOn(present) && world.choices.oneIn(2)) {
            long nanos = BLOCKED[world.choices.below(BLOCKED.length)];
            world.note(what + " of c" + present.client.index() + " blocks a thread of the kind " + present.role
                    + " for " + Duration.ofNanos(nanos));
            present.suspend(nanos);
        }
    }

    /** A handler of the log is called on the present thread. */
    void logs() {
        userCode("the log");
        Coroutine present = Coroutine.current();
        if (present != null && present.role == ThreadRole.CALLER) {
            throw world.violated("no call writes the log", present.owner + " does");
        }
        if (world.choices.oneIn(2)) {
            throw new UserCodeException();
        }
        perhapsBlocks("the log");
    }
}
