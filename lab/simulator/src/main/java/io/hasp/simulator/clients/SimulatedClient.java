package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.network.SimulatedBackend;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** One client with its backend, its threads, its timers and its callers. It is also the client's listener. */
public final class SimulatedClient implements LockListener {
    /** A client tries a refused task again within that time. */
    private static final long AFTERMATH = Duration.ofMillis(100).toNanos();

    public final int index;
    final World world;
    final SimulatedThreads threads;
    final Network network;
    final ClientMonitor monitor;
    public final SimulatedBackend backend;
    public final SimulatedTiming timing;
    public final SimulatedExecutor executor;
    public final SimulatedPools pools;
    public final ClientDriver driver;
    /** Run the work of its candidates. */
    Executor workThreads = Runnable::run;

    public final List<SimulatedCaller> callers = new ArrayList<>();
    /** Its users in the place of callers. */
    public final List<Participant> participants = new ArrayList<>();

    public final int[] lossesHeard;
    /** By name: the token of the lease whose beginning the listener has received, without its end; zero for none. */
    private final long[] begun;
    /** The numbers of waiting callers and of leases, as a listener counts them. */
    public int waiting;

    public int active;

    private final boolean throwing;
    long disturbedAt = -AFTERMATH;
    /** The end of the latest pause of its process. */
    private long pausedAt = -AFTERMATH;
    /** The end of the latest suspension of its machine. */
    public long suspendedUntil;

    public boolean closing;
    /** Its leases in use are left to their work. */
    public boolean left;
    /** It gives every lease back, in use or not. */
    public boolean givesBack;

    public boolean closed;
    /** An error has ended it. */
    public boolean broken;

    private boolean cancelled;

    public SimulatedClient(
            Network network, ClientMonitor monitor, int index, ClientDriver.Factory factory, int callers) {
        this.network = network;
        this.world = network.world;
        this.threads = network.threads;
        this.monitor = monitor;
        this.index = index;
        this.throwing = index == 1;
        this.pools = new SimulatedPools(threads);
        this.executor = new SimulatedExecutor(threads, this::disturb);
        this.lossesHeard = new int[world.configuration.names()];
        this.begun = new long[world.configuration.names()];
        this.timing = new SimulatedTiming(world::now, world.trace != null);
        this.backend = new SimulatedBackend(index, network, monitor.opens(this), timing, this::breaks);
        ClientOptions options = ClientOptions.defaults()
                .renewedLease(Configuration.LEASE)
                .unavailableAfter(Configuration.UNAVAILABLE_AFTER)
                .handOff(world.configuration.handOff())
                .addListener(this)
                .timing(timing);
        options = world.configuration.hasThreads() && world.configuration.ownPools()
                ? options
                : options.executor(executor);
        boolean keeps = world.configuration.keeps(index);
        this.driver = factory.open(
                context -> backend,
                keeps ? options.keep(Configuration.KEEP) : options,
                world.configuration.mostAsking(),
                world.configuration.hasThreads() ? pools : null);
        if (world.configuration.users() == Configuration.Users.CANDIDATES) {
            workThreads = pools.pool("work", callers);
            driver.workInSteps(work -> ((SimulatedWork) work.action()).started(work));
        }
        for (int i = 0; i < callers; i++) {
            addUser(i);
        }
    }

    private void addUser(int i) {
        switch (world.configuration.users()) {
            case CALLERS -> callers.add(new SimulatedCaller(this, i));
            case ALL_OF -> participants.add(new AllOfCaller(this, i));
            case CANDIDATES -> participants.add(new SimulatedCandidate(this, i));
        }
    }

    public static int nameOf(String lock) {
        return lock.charAt(0) - 'a';
    }

    @Override
    public boolean isNonBlocking() {
        return world.configuration.nonBlocking();
    }

    @Override
    public void onEvent(LockEvent event) {
        threads.userCode("the listener");
        heard(event);
        if (isNonBlocking()) {
            threads.preempts();
        } else {
            threads.perhapsBlocks("the listener");
        }
        if (isOfOneLease(event)) {
            thrown();
        }
    }

    private static boolean isOfOneLease(LockEvent event) {
        return event instanceof LockEvent.Acquired
                || event instanceof LockEvent.Released
                || event instanceof LockEvent.Lost;
    }

    private void heard(LockEvent event) {
        count(event);
        if (event instanceof LockEvent.OfLease ofLease) {
            inOrder(ofLease);
        }
        if (event instanceof LockEvent.Lost) {
            lossesHeard[nameOf(event.lock())]++;
        }
        if (event instanceof LockEvent.Suspect) {
            monitor.doubted(this, event.lock());
        }
        if (isOfOneLease(event)) {
            monitor.held(index, nameOf(event.lock()));
        }
    }

    private void count(LockEvent event) {
        if (event instanceof LockEvent.Waiting) {
            waiting++;
        } else if (event instanceof LockEvent.WaitEnded) {
            waiting--;
        } else if (event instanceof LockEvent.Acquired) {
            active++;
        } else if (event instanceof LockEvent.Released
                || (event instanceof LockEvent.Lost lost && lost.held().isPresent())) {
            active--;
        }
        if (waiting < 0 || active < 0) {
            throw monitor.miscounted(this, event);
        }
    }

    /** A listener receives the end of a lease before the beginning of the next one. */
    private void inOrder(LockEvent.OfLease event) {
        int name = nameOf(event.lock());
        if (world.configuration.shared()) {
            // Several leases may be there at once.
            return;
        }
        if (event instanceof LockEvent.Acquired) {
            if (begun[name] != 0) {
                throw monitor.heardTooEarly(this, event);
            }
            begun[name] = event.fencingToken();
        } else if (begun[name] == event.fencingToken()
                && (event instanceof LockEvent.Released || event instanceof LockEvent.Lost)) {
            begun[name] = 0;
        }
    }

    private void thrown() {
        if (throwing) {
            throw new UserCodeException();
        }
    }

    /** Raises the token floor of a lock in a blocking call. */
    public void raiseTokenFloor() {
        int name = world.choices.below(world.configuration.names());
        long token = monitor.floorAbove(name, 1 + world.choices.below(3));
        world.note("c" + index + " raises the floor of " + world.name(name) + " to " + token);
        backend.atOnce = true;
        try {
            driver.client().lock(world.name(name)).raiseTokenFloor(token);
            monitor.floorRaised(index, name, token, monitor.serverMemory());
        } catch (BackendException | ClientClosedException e) {
            world.note("not raised: " + e.getMessage());
        } finally {
            backend.atOnce = false;
        }
    }

    /** The client or one of its threads does not run as it should: for a while the checks expect less of it. */
    public void disturb() {
        disturbedAt = Math.max(world.now(), backend.pausedUntil);
        pausedAt = Math.max(pausedAt, backend.pausedUntil);
        for (SimulatedCaller caller : callers) {
            caller.disturbed = true;
            disturbedAt = Math.max(disturbedAt, caller.thread.suspendedUntil);
        }
    }

    /** The machine of the client is suspended, and so is its clock; its connections don't outlive that. */
    public void suspend(long nanos) {
        network.hangUp(backend);
        timing.suspend(nanos);
        monitor.suspended(this, nanos);
        for (SimulatedCaller caller : callers) {
            caller.joinedAt += nanos;
        }
        suspendedUntil = world.now() + nanos;
        backend.pausedUntil = suspendedUntil;
        world.expectFailures();
        disturb();
    }

    /** By then the client has done what the disturbance kept it from doing. */
    public long recoveredAt() {
        return disturbedAt + AFTERMATH;
    }

    public boolean disturbed(long now) {
        return now - disturbedAt < AFTERMATH || !executor.isQuick();
    }

    /** As {@link #disturbed}; what the program's executor does disturbs no thread of the client's own. */
    public boolean disturbedInside(long now) {
        return world.configuration.hasThreads() ? now - pausedAt < AFTERMATH : disturbed(now);
    }

    /** True if a caller was interrupted, and its thread has not left the call: code of the program blocks that thread. */
    public boolean leavesCall() {
        return callers.stream()
                .anyMatch(caller -> caller.phase == SimulatedCaller.Phase.IDLE
                        && caller.thread.blocks()
                        && threads.suspended(caller) > 0);
    }

    /** An error is about to end the client. */
    public void breaks() {
        world.note("c" + index + " breaks");
        world.expectFailures();
        broken = true;
        closing = true;
    }

    /** A caller cancels a future. */
    void cancels() {
        cancelled = true;
    }

    /** True if a cancelled call may have a lease, which the client gives back when its callback runs. */
    public boolean mayHoldForCancelled() {
        boolean idle = executor.size() == 0 && pools.empty() && threads.noneSuspended();
        cancelled &= !idle;
        return cancelled;
    }

    public long state() {
        long hash = executor.size() * 16L + Math.min(15, timing.scheduled());
        hash = hash * 31 + pools.state();
        for (SimulatedCaller caller : callers) {
            hash = hash * 31 + caller.state();
        }
        for (Participant participant : participants) {
            hash = hash * 31 + participant.state();
        }
        hash = hash * 4 + executor.mode.name().hashCode();
        hash = hash * 16
                + (closed ? 1 : 0)
                + (closing ? 2 : 0)
                + (backend.cut ? 4 : 0)
                + (backend.pausedUntil > timing.nanoTime() ? 8 : 0);
        hash = hash * 4 + (left ? 1 : 0) + (givesBack ? 2 : 0);
        return ChoiceSequence.mix(hash * 31 + driver.state() + index);
    }
}
