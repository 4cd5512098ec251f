package io.hasp.simulator;

import io.hasp.simulator.clients.ClientDriver;
import io.hasp.simulator.threads.Coroutine;
import io.hasp.simulator.threads.EngineLogHandler;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.Violation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs seed after seed until one breaks a rule or a limit is reached. Reports its speed, and the number of distinct states.
 */
public final class Simulator {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MOST_SHRINKING = 5_000;
    private static final long LONGEST_SHRINKING = TimeUnit.MINUTES.toNanos(5);
    /** For a mutant, whose schedule is a help only. */
    private static final long SHORT_SHRINKING = TimeUnit.SECONDS.toNanos(3);

    private final ClientDriver.Factory factory;
    private final DistinctStateCounter states;
    private final Simulation simulation;
    private final AtomicLong cpuNanos = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong distinct = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();

    /**
     * A simulator without runs.
     *
     * @param factory opens the clients
     * @param log2OfStates the power of two of bits in which distinct states are counted: ten times the states, or more
     */
    public Simulator(ClientDriver.Factory factory, int log2OfStates) {
        this.factory = factory;
        this.states = new DistinctStateCounter(log2OfStates);
        this.simulation = new Simulation(factory, states);
    }

    /**
     * Runs seeds from a first one on.
     *
     * @param firstSeed the first one
     * @param mostEvents the number of events that is enough
     * @param mostMillis the real time that is enough
     * @param threads the number of runs at a time
     * @return the seed of a violation, for {@link #explain}; null if there was none
     */
    public @Nullable Long explore(long firstSeed, long mostEvents, long mostMillis, int threads) {
        return explore(firstSeed, mostEvents, mostMillis, threads, System::nanoTime);
    }

    private @Nullable Long explore(
            long firstSeed, long mostEvents, long mostMillis, int threads, LongSupplier nanoClock) {
        AtomicLong next = new AtomicLong(firstSeed);
        AtomicReference<@Nullable Long> broken = new AtomicReference<>();
        IntStream.range(0, threads).parallel().forEach(unused -> {
            long begun = nanoClock.getAsLong();
            long cpu = processorTime();
            while (broken.get() == null
                    && events.get() < mostEvents
                    && (nanoClock.getAsLong() - begun) / 1_000_000 < mostMillis) {
                long seed = next.getAndIncrement();
                Simulation.Outcome outcome = simulation.run(seed);
                events.addAndGet(outcome.events);
                distinct.addAndGet(outcome.newStates);
                runs.incrementAndGet();
                if (outcome.violation != null) {
                    broken.compareAndSet(null, seed);
                }
            }
            cpuNanos.addAndGet(processorTime() - cpu);
        });
        return broken.get();
    }

    /**
     * Runs one seed.
     *
     * @param seed the seed
     * @return the violation, with the shrunk schedule; null for none
     */
    public @Nullable String explain(long seed) {
        return explain(seed, MOST_SHRINKING, System.nanoTime() + LONGEST_SHRINKING);
    }

    private @Nullable String explain(long seed, int mostShrinking, long end) {
        Simulation quiet = new Simulation(factory, null);
        Configuration configuration = Configuration.of(seed);
        Simulation.Outcome outcome = quiet.run(seed);
        Violation violation = outcome.violation;
        if (violation == null) {
            return null;
        }
        int[] shrunk = new Shrinker(quiet, configuration, outcome.choices, violation.rule, mostShrinking, end).shrink();
        Simulation.Outcome shown = quiet.run(configuration, shrunk, true);
        Violation last = shown.violation;
        StringBuilder text = new StringBuilder();
        text.append(last == null ? violation : last)
                .append("\nseed ")
                .append(seed)
                .append(" (repeat it with -Dhasp.seed=")
                .append(seed)
                .append("), ")
                .append(outcome.choices.length)
                .append(" choices shrunk to ")
                .append(shrunk.length)
                .append('\n')
                .append(configuration)
                .append('\n');
        shown.trace.forEach(line -> text.append(line).append('\n'));
        if (last != null && last.getCause() != null) {
            java.io.StringWriter trace = new java.io.StringWriter();
            last.getCause().printStackTrace(new java.io.PrintWriter(trace));
            text.append(trace);
        }
        return text.toString();
    }

    /**
     * Looks for a violation with a given factory, and shrinks it for some seconds. To be called on classes of another loader.
     *
     * @param factory the name of its class
     * @param mostMillis the longest search, in processor time, so that a busy machine decides nothing
     * @return the violation, and the time that the search took; null if nothing was found
     * @throws ReflectiveOperationException if there is no such factory
     */
    public static @Nullable String hunt(String factory, long mostMillis) throws ReflectiveOperationException {
        try {
            return hunted(named(factory), mostMillis);
        } finally {
            EngineLogHandler.leave();
        }
    }

    private static long processorTime() {
        return THREADS.getCurrentThreadCpuTime() + Coroutine.cpuNanos();
    }

    private static @Nullable String hunted(ClientDriver.Factory factory, long mostMillis) {
        long begun = System.nanoTime();
        Simulator simulator = new Simulator(factory, 20);
        Long seed = simulator.explore(1, Long.MAX_VALUE, mostMillis, 1, Simulator::processorTime);
        if (seed == null) {
            return null;
        }
        long took = System.nanoTime() - begun;
        long shrinking = Math.min(took + SHORT_SHRINKING, mostMillis * 1_000_000);
        return took / 1_000_000 + " ms, " + simulator.runs + " runs: "
                + simulator.explain(seed, 1_000, begun + shrinking);
    }

    private static ClientDriver.Factory named(String factory) throws ReflectiveOperationException {
        return Class.forName(factory)
                .asSubclass(ClientDriver.Factory.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    /**
     * Every step of every run.
     *
     * @return their number
     */
    public long events() {
        return events.get();
    }

    /**
     * States that differ in more than ids and moments.
     *
     * @return their number, or slightly less
     */
    public long distinctStates() {
        return distinct.get();
    }

    /**
     * Summarizes the runs so far.
     *
     * @param nanos the real time that they took
     * @return a line
     */
    public String summary(long nanos) {
        return String.format(
                Locale.ROOT,
                "%,d events in %,d runs, %,d distinct states, %.1f s (%.1f s of processor time): %,.0f events and"
                        + " %,.0f new states per second of processor time",
                events.get(),
                runs.get(),
                distinct.get(),
                nanos / 1e9,
                cpuNanos.get() / 1e9,
                events.get() / (cpuNanos.get() / 1e9),
                distinct.get() / (cpuNanos.get() / 1e9));
    }

    /**
     * Runs from the command line: factory class, first seed, events, seconds, threads.
     *
     * @param args in that order
     * @throws ReflectiveOperationException if there is no such factory
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        Simulator simulator = new Simulator(named(args[0]), 28);
        long begun = System.nanoTime();
        if (args.length == 2) {
            System.out.println(simulator.explain(Long.parseLong(args[1])));
            return;
        }
        Long found = simulator.explore(
                Long.parseLong(args[1]),
                Long.parseLong(args[2]),
                Long.parseLong(args[3]) * 1000,
                Integer.parseInt(args[4]));
        System.out.println(simulator.summary(System.nanoTime() - begun));
        if (found != null) {
            System.out.println("seed " + found + " breaks a rule; its schedule is being shrunk");
            System.out.println(simulator.explain(found));
            System.exit(1);
        }
    }
}
