package io.hasp.engine.races;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;

/**
 * Runs a race in two ways. Lincheck chooses where threads switch, finds threads that wait without end, and prints the interleaving of a
 * failure. Its memory is sequentially consistent, and its parked threads wake without being woken. So the same race also runs on real
 * threads, as often as there is time.
 */
public final class Races {
    private static final boolean FULL = "full".equals(System.getProperty("hasp.tier"));
    private static final @Nullable Integer INTERLEAVINGS = Integer.getInteger("hasp.races.interleavings");
    private static final long MILLIS = Integer.getInteger("hasp.races.millis", FULL ? 4_000 : 150);

    private Races() {}

    /**
     * Explores interleavings, in the full tier: to prepare the classes alone takes seconds for each test. Then runs on real threads.
     *
     * @param interleavings how many; as many as find the mutants of that race and take some seconds
     * @param races a lambda with {@code new} in it: what a method reference makes is not instrumented, and nothing would be found
     */
    public static void run(int interleavings, Supplier<Race> races) throws Exception {
        int most = INTERLEAVINGS != null ? INTERLEAVINGS : FULL ? interleavings : 0;
        if (most > 0) {
            explore(most, races);
        } else {
            System.out.println("interleavings are explored with -Dhasp.tier=full");
        }
        onRealThreads(races);
    }

    public static void onRealThreads(Supplier<Race> races) throws Exception {
        if (MILLIS > 0) {
            System.out.println("races on real threads: " + new RealThreads(races).run(MILLIS) + " rounds");
        }
    }

    static void explore(int interleavings, Supplier<Race> races) {
        Lincheck.runConcurrentTest(interleavings, new Round(races));
    }

    /** Runs one test without JUnit: its class and method. Prints what it finds, and ends with 1 then. */
    public static void main(String[] test) throws Exception {
        Class<?> type = Class.forName(test[0]);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object instance = constructor.newInstance();
        Method method = type.getDeclaredMethod(test[1]);
        method.setAccessible(true);
        try {
            method.invoke(instance);
        } catch (InvocationTargetException e) {
            System.out.println("found: " + e.getCause());
            System.exit(1);
        }
        System.exit(0);
    }

    /** One run on threads of its own: on 25, Lincheck finds nothing in a thread whose task is a method reference. */
    private static final class Round implements Runnable {
        private final Supplier<Race> races;

        Round(Supplier<Race> races) {
            this.races = races;
        }

        @Override
        public void run() {
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            try {
                Race race = races.get();
                List<Thread> threads = new ArrayList<>(3);
                for (Race.Racer racer : race.racers()) {
                    Thread thread = new RacerThread(racer, thrown);
                    threads.add(thread);
                    thread.start();
                }
                Race.Racer caller = race.caller();
                if (caller != null) {
                    caller.run();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                Throwable e = thrown.get();
                if (e != null) {
                    throw new AssertionError("a racer threw " + e, e);
                }
                race.check();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class RacerThread extends Thread {
        private final Race.Racer racer;
        private final AtomicReference<@Nullable Throwable> thrown;

        RacerThread(Race.Racer racer, AtomicReference<@Nullable Throwable> thrown) {
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
}
