package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** All experiments. */
public final class Experiments {
    /** Of the clients in {@link #TAKEOVER}, {@link #ELECTION} and {@link #FAILOVER}: how long Redis keeps the lock of a silent client. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /** The same for ZooKeeper, where four seconds are the least that a server allows by default. */
    public static final Duration SESSION = Duration.ofSeconds(4);

    /** The cost of a lock without competition. */
    public static final Experiment UNCONTENDED = new ExperimentBuilder("uncontended", ComparisonTier.QUICK)
            .work((it, tier) -> Stream.of(new Workload(it, 1, 1, 1, Duration.ZERO)))
            .answeredBy(Metric.CYCLE_P50, Metric.CYCLE_P99, Metric.CYCLE_MEAN)
            .shownAs(
                    work -> "1 thread",
                    work -> count(work.threads(), "thread") + " locks and unlocks a name that nobody else wants");

    /** The locks per second of one process whose threads do not collide. */
    public static final Experiment DISTINCT = new ExperimentBuilder("distinct", ComparisonTier.QUICK)
            .work((it, tier) -> sizes(tier).mapToObj(size -> new Workload(it, 1, size, size, Duration.ZERO)))
            .answeredBy(Metric.CYCLES_PER_S)
            .shownAs(
                    work -> work.threads() + " threads",
                    work -> count(work.threads(), "thread") + " lock and unlock, each a name of its own");

    /** All threads contend for the same lock, in one process and in two. */
    public static final Experiment CONTENDED = new ExperimentBuilder("contended", ComparisonTier.QUICK)
            .work(Experiments::contended)
            .oneName()
            .answeredBy(Metric.ACQUISITIONS_PER_S, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.JAIN)
            .shownAs(
                    work -> work.processes() + "×" + work.threads() + " threads, hold " + work.holdMillis() + " ms",
                    work -> crowd(work, "thread") + " want one name; hold " + work.holdMillis() + " ms");

    /** A lock that moves from process to process. */
    public static final Experiment HANDOFF = new ExperimentBuilder("handoff", ComparisonTier.USUAL)
            .work(Experiments::passedOn)
            .oneName()
            .clientPerThread()
            .answeredBy(
                    Metric.HANDOFF_P50,
                    Metric.ACQUISITIONS_PER_S,
                    Metric.WAIT_P99,
                    Metric.WAIT_MAX,
                    Metric.JAIN,
                    Metric.COMMANDS_PER_ACQUISITION)
            .shownAs(
                    work -> work.processes() + "×" + work.threads() + " clients",
                    work -> crowd(work, "client") + " want one name all the time; hold " + work.holdMillis() + " ms");

    /** The gain of a lock with many readers and few writers, in one process and in four. */
    public static final Experiment READ_MOSTLY = new ExperimentBuilder("read-mostly", ComparisonTier.USUAL)
            .work(Experiments::sixteen)
            .oneName()
            .takes(
                    (thread, cycle) -> (cycle + 7L * thread) % 20 == 0 ? LockMode.WRITE : LockMode.READ,
                    Claimed.READ_WRITE)
            .answeredBy(Metric.ACQUISITIONS_PER_S, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.JAIN)
            .shownAs(
                    work -> work.processes() + "×" + work.threads() + " threads",
                    work -> crowd(work, "thread")
                            + " read one name, and every 20th time write it; with the read-write lock of each library");

    /** The throughput of permits with twice as many threads as permits. */
    public static final Experiment PERMITS = new ExperimentBuilder("permits", ComparisonTier.USUAL)
            .work(Experiments::sixteen)
            .oneName()
            .takes((thread, cycle) -> LockMode.permits(1, 8), Claimed.SEMAPHORE)
            .answeredBy(Metric.ACQUISITIONS_PER_S, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.JAIN)
            .shownAs(
                    work -> work.processes() + "×" + work.threads() + " threads",
                    work -> crowd(work, "thread") + " take one of 8 permits; with the semaphore of each library");

    /** The cost of several locks at once: free names, and overlapping subsets of a few. */
    public static final Experiment ALL_OF = new ExperimentBuilder("all-of", ComparisonTier.FULL)
            .work((it, tier) -> Stream.concat(
                    Stream.of(2, 8, 32).map(locks -> new Workload(it, 1, 1, locks, Duration.ZERO, Axis.NONE, locks)),
                    Stream.of(new Workload(it, 1, 8, 12, Duration.ZERO))))
            .together()
            .answeredBy(Metric.CYCLE_P50, Metric.CYCLE_P99, Metric.CYCLES_PER_S)
            .shownAs(
                    work -> work.threads() == 1
                            ? work.locks() + " free names"
                            : work.threads() + " threads, subsets of " + work.locks(),
                    work -> work.threads() == 1
                            ? "1 thread locks and unlocks " + work.locks()
                                    + " names together that nobody else wants; with the multi-lock of each library"
                            : work.threads() + " threads lock and unlock 4 of " + work.locks()
                                    + " names together, at random; with the multi-lock of each library");

    /**
     * The cost of keeping locks that are held. It precedes the other curves, because servers that remove the remains of other work are busy
     * for a while.
     */
    public static final Experiment HELD = new ExperimentBuilder("held", ComparisonTier.FULL)
            .work((it, tier) -> held(tier).mapToObj(locks -> Workload.holding(it, locks)))
            .curve()
            .trials(3)
            .measuredBy(ExperimentRunner::heldLocks)
            .answeredBy(
                    Metric.CLIENT_CPU, Metric.SERVER_CPU, Metric.SERVER_COMMANDS_PER_S, Metric.SERVER_DISK_BYTES_PER_S)
            .shownAs(
                    Experiments::locks,
                    work -> "1 process holds " + locks(work) + " and does nothing else; figures of each second");

    /** The time for which a lock is unavailable after its holder was killed. */
    public static final Experiment TAKEOVER = new ExperimentBuilder("takeover", ComparisonTier.FULL)
            .work((it, tier) -> Stream.of(new Workload(it, 2, 1, 1, Duration.ZERO)))
            .trials(6)
            .endsByItself()
            .measuredBy(ExperimentRunner::takeOver)
            .answeredBy(Metric.TAKEOVER)
            .shownAs(
                    Experiments::expiries,
                    work -> "a process that holds the lock is killed, another one waits; " + work.shape());

    /** The time without a leader after a leader was killed, and after one resigned. */
    public static final Experiment ELECTION = new ExperimentBuilder("election", ComparisonTier.FULL)
            .work((it, tier) -> Stream.of(new Workload(it, 2, 1, 1, Duration.ZERO)))
            .elects()
            .trials(6)
            .endsByItself()
            .measuredBy(ExperimentRunner::takeOver)
            .answeredBy(Metric.TAKEOVER, Metric.RESIGNATION)
            .shownAs(
                    Experiments::expiries,
                    work -> "the leader's process is killed, and then leaders resign, another candidate waits; with the"
                            + " election of each library; " + work.shape());

    /** The effects on locks when the deciding server is killed. */
    public static final Experiment FAILOVER = new ExperimentBuilder("failover", ComparisonTier.FULL)
            .work((it, tier) -> Stream.of(new Workload(it, 1, 2, 2, Duration.ZERO)))
            .clients(work -> 2)
            .trials(3)
            .breaksServers()
            .measuredBy(ExperimentRunner::failover)
            .answeredBy(Metric.GAP, Metric.OVERLAPS, Metric.STALE_TOKENS)
            .shownAs(
                    Experiments::expiries,
                    work ->
                            "the leader, one of five nodes, or a Redis master is killed, whose replica, half a second behind,"
                                    + " takes its address a second later; two clients; " + work.shape());

    /** The results of callers of a stopped server, and their times. */
    public static final Experiment STOPPED = new ExperimentBuilder("stopped", ComparisonTier.FULL)
            .work((it, tier) -> Stream.of(new Workload(it, 1, 4, 4, Duration.ZERO)))
            .trials(3)
            .breaksServers()
            .measuredBy(ExperimentRunner::stoppedServers)
            .answeredBy(
                    Metric.OVERRUN_P50,
                    Metric.OVERRUN_MAX,
                    Metric.TOLD_ERROR,
                    Metric.TOLD_BUSY,
                    Metric.TOLD_GRANTED,
                    Metric.HUNG)
            .shownAs(
                    work -> work.threads() + " callers, wait " + StoppedServerCallers.WAIT.toSeconds() + " s",
                    work -> "the servers are stopped (SIGSTOP); " + work.shape());

    /** The memory of held locks and waiters. One thread takes the locks, as in {@link #HELD}. */
    public static final Experiment FOOTPRINT = new ExperimentBuilder("footprint", ComparisonTier.FULL)
            .work((it, tier) -> Stream.of(new Workload(it, 1, 1, 2_000, Duration.ZERO)))
            .clients(work -> 2)
            .trials(2)
            .endsByItself()
            .measuredBy(ExperimentRunner::footprint)
            .answeredBy(
                    Metric.CLIENT_BYTES_PER_HELD,
                    Metric.CLIENT_BYTES_PER_WAITER,
                    Metric.SERVER_BYTES_PER_HELD,
                    Metric.SERVER_BYTES_PER_WAITER)
            .shownAs(
                    Experiments::locks,
                    work -> "1 process holds %,d names, then 100 threads of another client wait for some"
                            .formatted(work.locks()));

    /** All, in the order in which they are measured and reported. */
    public static final List<Experiment> ALL = Stream.of(
                    Stream.of(UNCONTENDED, DISTINCT, CONTENDED, HANDOFF, READ_MOSTLY, PERMITS, ALL_OF),
                    ReuseExperiments.ALL.stream(),
                    Stream.of(HELD, TAKEOVER, ELECTION, FAILOVER, STOPPED, FOOTPRINT),
                    CurveExperiments.ALL.stream())
            .flatMap(each -> each)
            .toList();

    private Experiments() {}

    /**
     * Finds one.
     *
     * @param name as {@link Experiment#name} gives it, in lower or upper case
     * @return the experiment
     * @throws IllegalArgumentException naming all there are, if there is none of that name
     */
    public static Experiment of(String name) {
        return ALL.stream()
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown experiment '" + name + "', there are "
                        + ALL.stream().map(Experiment::name).collect(Collectors.joining(", "))));
    }

    private static IntStream sizes(ComparisonTier tier) {
        return switch (tier) {
            case QUICK, USUAL, CURVES -> IntStream.of(16);
            case FULL -> IntStream.of(4, 8, 16, 64);
        };
    }

    private static IntStream held(ComparisonTier tier) {
        return switch (tier) {
            case QUICK, USUAL -> IntStream.of(1_000);
            case CURVES -> IntStream.of(1, 100, 10_000, 100_000);
            case FULL -> IntStream.of(100_000);
        };
    }

    private static Stream<Workload> contended(Experiment it, ComparisonTier tier) {
        return switch (tier) {
            case QUICK, USUAL, CURVES -> oneName(it, 1, 16, 0, 1);
            case FULL ->
                Stream.concat(
                        Stream.of(4, 8, 16).flatMap(threads -> oneName(it, 1, threads, 0, 1, 10)),
                        oneName(it, 2, 8, 0, 1, 10));
        };
    }

    private static Stream<Workload> sixteen(Experiment it, ComparisonTier tier) {
        Stream<Workload> inOne = oneName(it, 1, 16, 0);
        return tier == ComparisonTier.FULL ? Stream.concat(inOne, oneName(it, 4, 4, 0)) : inOne;
    }

    /** More than eight processes are too many for a small machine: there each process has several independent clients. */
    private static Stream<Workload> passedOn(Experiment it, ComparisonTier tier) {
        return tier == ComparisonTier.FULL
                ? Stream.concat(
                        Stream.of(2, 4, 8).flatMap(processes -> oneName(it, processes, 1, 0)),
                        Stream.of(4, 8, 16).flatMap(clients -> oneName(it, 4, clients, 0)))
                : oneName(it, 4, 1, 0);
    }

    private static Stream<Workload> oneName(Experiment it, int processes, int threads, long... holds) {
        return LongStream.of(holds)
                .mapToObj(millis -> new Workload(it, processes, threads, 1, Duration.ofMillis(millis)));
    }

    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    static String crowd(Workload work, String noun) {
        String each = count(work.threads(), noun);
        return work.processes() == 1
                ? each + " of one process"
                : work.processes() + " processes with " + each + " each";
    }

    static String names(Workload work) {
        return String.format(Locale.ROOT, "%,d names", work.locks());
    }

    static String locks(Workload work) {
        return String.format(Locale.ROOT, "%,d locks", work.locks());
    }

    private static String expiries(Workload work) {
        return "lease " + LEASE.toSeconds() + " s, session " + SESSION.toSeconds() + " s";
    }
}
