package io.hasp.conformance.random;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes random calls of Hasp's whole API on one backend: many threads of one to three clients use a few locks, with one
 * seed after the other until the time is over. If the backend supports shared locks, the locks are of all kinds, and
 * now and then one is requested as another kind. No call may hang, no promise may be broken, and nothing may be left at
 * the end. Not thread-safe.
 *
 * <p>The system property {@code hasp.seed} repeats one seed, and {@code hasp.random.seconds} sets the duration.
 */
public final class RandomCalls {
    private static final String SEED = "hasp.seed";
    private static final String SECONDS = "hasp.random.seconds";
    private static final int SECONDS_IN_SMALLER_TIERS = 4;
    private static final int FULL_SECONDS = 120;
    private static final Duration LEASE = Timings.units(100);

    private final HaspSubject subject;
    private final ServerView server;
    private final Map<String, Integer> counts = new TreeMap<>();
    /** The limit of a call. An unobstructed call ends far sooner: polls, waits and holds are shorter than a second. */
    private Duration bound = Timings.units(80);

    private int clients;
    private int runs;

    /**
     * Creates random calls on a backend.
     *
     * @param subject opens clients
     * @param server lists the server's remains, after the end of all calls and when one hangs
     */
    public RandomCalls(HaspSubject subject, ServerView server) {
        this.subject = subject.leasing(LEASE);
        this.server = server;
    }

    /**
     * Another bound for calls that hang.
     *
     * @param time for how long no thread may get any further
     * @return this
     */
    public RandomCalls bound(Duration time) {
        bound = time;
        return this;
    }

    /**
     * A fixed number of clients in each run, in place of one to three.
     *
     * @param number how many
     * @return this
     */
    public RandomCalls clients(int number) {
        clients = number;
        return this;
    }

    /**
     * Runs the seeds 1, 2, … for a few seconds, in the full tier for minutes, or as the system properties say.
     *
     * @return a summary of the calls, in one line
     * @throws AssertionError at the first run with a broken promise: with the seed, the fault, the server's state, and
     *     the calls of each thread in order
     * @throws Exception if the server can't be reached
     */
    public String run() throws Exception {
        long end = System.nanoTime()
                + TimeUnit.SECONDS.toNanos(Long.getLong(SECONDS, Tier.count(SECONDS_IN_SMALLER_TIERS, FULL_SECONDS)));
        Optional<Long> fixed = Optional.ofNullable(Long.getLong(SEED));
        for (long seed = 1; runs == 0 || System.nanoTime() - end < 0; seed++) {
            run(fixed.orElse(seed));
        }
        return summary();
    }

    /**
     * Makes one run.
     *
     * @param seed decides the calls of each thread
     * @throws AssertionError as {@link #run()}
     * @throws Exception as {@link #run()}
     */
    public void run(long seed) throws Exception {
        try (RandomRun run = new RandomRun(plan(seed), subject, recalls())) {
            List<ClientSlot> slots = new ArrayList<>();
            List<RandomCaller> callers = new ArrayList<>();
            FailureReport report = new FailureReport(subject.name(), run, callers, server);
            try {
                for (int i = 0; i < run.plan.clients(); i++) {
                    slots.add(new ClientSlot(run, i));
                }
                for (int i = 0; i < run.plan.allThreads(); i++) {
                    callers.add(new RandomCaller(run, slots.get(i % slots.size()), i));
                }
                try (WatchingOperator operator = new WatchingOperator(run)) {
                    callers.forEach(caller -> caller.thread.start());
                    await(run, callers, report);
                }
                new FinalChecks(run, server).check();
            } finally {
                slots.forEach(ClientSlot::close);
            }
            if (run.violations().isEmpty()) {
                new FinalChecks(run, server).nothingLeft("after the clients were closed");
            }
            report.throwIfBroken();
            runs++;
            run.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
        }
    }

    private CallPlan plan(long seed) {
        CallPlan plan = CallPlan.of(seed, sharing());
        return clients == 0 ? plan : plan.withClients(clients);
    }

    private boolean recalls() {
        try (LockClient client = subject.connect()) {
            return client.capabilities().keptLocks();
        }
    }

    private boolean sharing() {
        return subject.claims().contains(Claimed.READ_WRITE);
    }

    /** Until all threads are done, or none of them has moved for too long. */
    private void await(RandomRun run, List<RandomCaller> callers, FailureReport report) throws Exception {
        for (RandomCaller caller : callers) {
            while (caller.thread.isAlive()) {
                caller.thread.join(10);
                long moved = callers.stream()
                        .mapToLong(one -> one.calls.changedAt())
                        .max()
                        .orElseThrow();
                if (System.nanoTime() - moved > bound.toNanos()) {
                    run.brokenAboveAll("no thread has got any further for " + bound.toMillis() + " ms");
                    throw report.failure();
                }
            }
        }
    }

    /** Summarizes the calls. */
    private String summary() {
        return "random calls on " + subject.name() + ": " + runs + " runs; "
                + counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey())
                        .collect(Collectors.joining(", "));
    }
}
