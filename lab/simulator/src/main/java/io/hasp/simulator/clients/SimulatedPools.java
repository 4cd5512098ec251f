package io.hasp.simulator.clients;

import io.hasp.simulator.threads.Coroutine;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.threads.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** The pools of one client. Without any, all runs on the executor that the client was given. */
public final class SimulatedPools implements ClientDriver.Pools {
    /** Observers and listeners that block take all threads for them easily. */
    private static final int MOST_NOTICES = 2;

    private final SimulatedThreads threads;
    public final List<SimulatedPool> all = new ArrayList<>();

    SimulatedPools(SimulatedThreads threads) {
        this.threads = threads;
    }

    @Override
    public Executor pool(String purpose, int most) {
        ThreadRole role = ThreadRole.of(purpose);
        SimulatedPool pool = new SimulatedPool(threads, role, role == ThreadRole.NOTICE ? MOST_NOTICES : most);
        all.add(pool);
        return pool;
    }

    @Override
    public boolean onTimer() {
        Coroutine present = Coroutine.current();
        return present != null && present.role == ThreadRole.TIMER;
    }

    @Override
    public Runnable waker() {
        return threads.waker();
    }

    /** True if no task waits for a thread. */
    public boolean empty() {
        return all.stream().allMatch(pool -> pool.size() == 0);
    }

    /** A hash of how many tasks wait and how many threads are suspended. */
    long state() {
        long hash = 0;
        for (SimulatedPool pool : all) {
            hash = hash * 31 + pool.size() * 4L + threads.suspended(pool);
        }
        return hash;
    }
}
