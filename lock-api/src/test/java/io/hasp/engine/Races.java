package io.hasp.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;

/**
 * Runs a race in two ways. Lincheck chooses where threads switch, finds threads that wait for ever, and prints the interleaving
 * of a failure; its memory is sequentially consistent. So the same race also runs on real threads, as often as there is time.
 */
final class Races {
    private static final boolean FULL = "full".equals(System.getProperty("hasp.tier"));
    private static final int INTERLEAVINGS = Integer.getInteger("hasp.races.interleavings", FULL ? 2_000 : 0);
    private static final long STRESS_MILLIS = Integer.getInteger("hasp.races.millis", FULL ? 60_000 : 150);
    private static final int FEWEST_ROUNDS = 20;

    private Races() {}

    /**
     * Explores interleavings, in the full tier: to prepare the classes alone takes seconds for each test.
     *
     * @param races a lambda with {@code new} in it: what a method reference makes is not instrumented, and nothing would be found
     */
    static void explore(Supplier<Race> races) {
        if (INTERLEAVINGS > 0) {
            explore(INTERLEAVINGS, races);
        } else {
            System.out.println("interleavings are explored with -Dhasp.tier=full");
        }
    }

    static void explore(int interleavings, Supplier<Race> races) {
        Lincheck.runConcurrentTest(interleavings, new Round(races));
    }

    /** One run on threads of its own: on 25, Lincheck finds nothing in a thread whose task is a method reference. */
    private static final class Round implements Runnable {
        private final Supplier<Race> races;

        Round(Supplier<Race> races) {
            this.races = races;
        }

        @Override
        public void run() {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            try {
                Race race = races.get();
                List<Thread> threads = new ArrayList<>(3);
                for (Race.Racer racer : race.racers()) {
                    Thread thread = new RacerThread(racer, thrown);
                    threads.add(thread);
                    thread.start();
                }
                race.onCaller();
                for (Thread thread : threads) {
                    thread.join();
                }
                rethrow(thrown);
                race.check();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class RacerThread extends Thread {
        private final Race.Racer racer;
        private final AtomicReference<Throwable> thrown;

        RacerThread(Race.Racer racer, AtomicReference<Throwable> thrown) {
            this.racer = racer;
            this.thrown = thrown;
        }

        @Override
        public void run() {
            try {
                racer.run();
            } catch (Throwable e) {
                thrown.set(e);
            }
        }
    }

    private static void rethrow(AtomicReference<Throwable> thrown) {
        Throwable e = thrown.get();
        if (e != null) {
            throw new AssertionError("a racer threw " + e, e);
        }
    }

    /** Runs it on real threads, again and again. */
    static void stress(Supplier<Race> races) throws Exception {
        AtomicReference<Race> present = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        int count = races.get().racers().size();
        CyclicBarrier start = new CyclicBarrier(count + 1);
        CyclicBarrier end = new CyclicBarrier(count + 1);
        List<Thread> threads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            threads.add(new Stressor(i, present, thrown, start, end));
        }
        threads.forEach(Thread::start);
        long begun = System.nanoTime();
        int rounds = 0;
        try {
            while (rounds < FEWEST_ROUNDS || System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(STRESS_MILLIS)) {
                Race race = races.get();
                present.set(race);
                start.await();
                race.onCaller();
                end.await();
                rethrow(thrown);
                race.check();
                rounds++;
            }
        } finally {
            threads.forEach(Thread::interrupt);
        }
        System.out.println("races on real threads: " + rounds + " rounds");
    }

    private static final class Stressor extends Thread {
        private final int index;
        private final AtomicReference<Race> present;
        private final AtomicReference<Throwable> thrown;
        private final CyclicBarrier start;
        private final CyclicBarrier end;

        Stressor(
                int index,
                AtomicReference<Race> present,
                AtomicReference<Throwable> thrown,
                CyclicBarrier start,
                CyclicBarrier end) {
            this.index = index;
            this.present = present;
            this.thrown = thrown;
            this.start = start;
            this.end = end;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    start.await();
                    try {
                        Objects.requireNonNull(present.get())
                                .racers()
                                .get(index)
                                .run();
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                    end.await();
                }
            } catch (Exception over) {
                // Interrupted: there is no further round.
            }
        }
    }
}
