package io.hasp.engine.races;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one race on real threads, again and again, for what only real memory and a real scheduler show. Races are made in batches.
 * All threads pass over a batch abreast, and meet before each race without sleeping, so that they begin it within nanoseconds
 * of each other: a store that waits in a buffer is overtaken only by a load that comes that soon.
 */
final class RealThreads {
    private static final int BATCH = 64;
    private static final int SPINS = 500;
    /** Rounds take microseconds; the machine may be busy. */
    private static final long HANGS_AFTER_MILLIS = 5_000;

    private final Supplier<Race> races;
    private final int meeting;
    private final CyclicBarrier batches;
    private final AtomicLong met = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile Race[] batch;

    RealThreads(Supplier<Race> races) {
        this.races = races;
        this.batch = new Race[] {races.get()};
        int racers = batch[0].racers().size();
        this.meeting = batch[0].caller() == null ? racers : racers + 1;
        this.batches = new CyclicBarrier(racers + 1);
        for (int i = 0; i < racers; i++) {
            threads.add(new Passing(i));
        }
    }

    /** Runs the race for a time, and returns the number of runs. */
    long run(long millis) throws Exception {
        Hang hang = new Hang(Thread.currentThread());
        threads.forEach(Thread::start);
        hang.start();
        long begun = System.nanoTime();
        long rounds = 0;
        try {
            do {
                for (int i = 0; i < batch.length; i++) {
                    batch[i] = races.get();
                }
                batches.await();
                if (batch[0].caller() != null) {
                    pass(race -> race.caller(), 0);
                }
                batches.await();
                Throwable e = thrown.get();
                if (e != null) {
                    throw new AssertionError("a racer threw " + e, e);
                }
                for (Race race : batch) {
                    race.check();
                }
                rounds += batch.length;
                batch = batch.length == BATCH ? batch : new Race[BATCH];
            } while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(millis));
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError("a thread waits for ever; round " + rounds + hang.seen, e);
        } finally {
            hang.interrupt();
            threads.forEach(Thread::interrupt);
        }
        return rounds;
    }

    private interface Part {
        Race.@Nullable Racer of(Race race);
    }

    private void pass(Part part, int thread) throws InterruptedException {
        int random = thread + 1;
        for (Race race : batch) {
            Race.Racer racer = part.of(race);
            meet();
            random = random * 1_103_515_245 + 12_345;
            for (int late = random >>> 29; late > 0; late--) {
                Thread.onSpinWait();
            }
            try {
                if (racer != null) {
                    racer.run();
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Throwable e) {
                thrown.compareAndSet(null, e);
            }
        }
    }

    /** Yields where others need the processor to arrive; nothing depends on it. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void meet() throws InterruptedException {
        long place = met.getAndIncrement();
        long all = (place / meeting + 1) * meeting;
        for (int spins = 0; met.get() < all; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else if (Thread.interrupted()) {
                throw new InterruptedException();
            } else {
                Thread.yield();
            }
        }
    }

    private final class Passing extends Thread {
        private final int index;

        Passing(int index) {
            this.index = index;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    batches.await();
                    pass(race -> race.racers().get(index), index);
                    batches.await();
                }
            } catch (InterruptedException | BrokenBarrierException over) {
                // There is no further batch.
            }
        }
    }

    /** Ends a race that has stopped moving. */
    private final class Hang extends Thread {
        private final Thread caller;
        volatile String seen = "";

        Hang(Thread caller) {
            this.caller = caller;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long before = -1, now = met.get(); before != now; before = now, now = met.get()) {
                    Thread.sleep(HANGS_AFTER_MILLIS);
                }
                seen = stacks();
                caller.interrupt();
                threads.forEach(Thread::interrupt);
            } catch (InterruptedException over) {
                // It has come to its end.
            }
        }

        private String stacks() {
            StringBuilder all = new StringBuilder(" of " + Arrays.toString(caller.getStackTrace()));
            threads.forEach(thread -> all.append("\n").append(Arrays.toString(thread.getStackTrace())));
            return all.toString();
        }
    }
}
