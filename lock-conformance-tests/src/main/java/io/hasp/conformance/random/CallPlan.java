package io.hasp.conformance.random;

import io.hasp.ClientOptions;
import io.hasp.Ordering;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.Timings;
import io.hasp.conformance.random.PlannedCall.Call;
import io.hasp.conformance.random.PlannedCall.Ending;
import io.hasp.conformance.random.PlannedCall.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The actions of all threads of one run, as a pure function of the seed. The operating system interleaves the calls, so
 * a failed seed may have to be repeated several times.
 *
 * @param seed the source of all choices
 * @param clients the number of clients
 * @param threads the number of threads per client
 * @param locks the number of shared locks
 * @param closes true to close clients in the middle
 * @param virtual true for virtual threads, if the JVM has them
 * @param sharing true for locks of all kinds; false for exclusive locks only
 * @param mixed true to request a lock as another kind now and then
 */
record CallPlan(
        long seed,
        int clients,
        int threads,
        int locks,
        boolean closes,
        boolean virtual,
        boolean sharing,
        boolean mixed) {
    /** Odd and far apart, so that seeds, threads and clients draw unrelated numbers. */
    private static final long PER_THREAD = 0xC2B2AE3D27D4EB4FL;

    private static final long PER_CLIENT = 0xD6E8FEB86659FD93L;
    private static final long PER_LOCK = 0x9E3779B97F4A7C15L;
    private static final int CALLS = 12;
    private static final int MOST_CLIENTS = 3;
    private static final int MOST_THREADS = 8;
    private static final int MOST_EXCLUSIVE_LOCKS = 2;
    private static final int MOST_LOCKS = 3;
    private static final int MISTAKEN_ONE_IN = 8;
    private static final int ONE_IN = 4;
    private static final int MANNERS = 6;
    private static final int BRIEF = 3;
    /** Renewed every now and then during a hold. */
    static final Duration BRIEF_LEASE = Timings.units(1.5);

    /** Much shorter than what is left of a run has time to go. */
    private static final Duration KEEP = Timings.units(3);

    private static final Duration LONG = Duration.ofSeconds(20);

    /**
     * Calls that are to begin together wait for the next multiple of this time. Chance alone seldom brings two calls to a
     * free lock within one round trip.
     */
    static final Duration BEAT = Duration.ofMillis(25);

    /** The plan of a seed, for a backend whose locks can be shared or not. */
    static CallPlan of(long seed, boolean sharing) {
        SplittableRandom random = new SplittableRandom(seed);
        int clients = 1 + random.nextInt(MOST_CLIENTS);
        int threads = 1 + random.nextInt(MOST_THREADS / clients);
        // A single thread has no competitor.
        return new CallPlan(
                seed,
                clients,
                clients == 1 ? Math.max(2, threads) : threads,
                1 + random.nextInt(sharing ? MOST_LOCKS : MOST_EXCLUSIVE_LOCKS),
                random.nextBoolean(),
                random.nextInt(ONE_IN) == 0,
                sharing,
                sharing && random.nextInt(ONE_IN) == 0);
    }

    /** The same calls on another number of clients, with as many threads in all as fit. */
    CallPlan withClients(int number) {
        return new CallPlan(seed, number, Math.max(1, MOST_THREADS / number), locks, closes, virtual, sharing, mixed);
    }

    /** The kind of a lock: how it is held by one who takes all of it. */
    LockMode whole(int lock) {
        return sharing ? CallMode.kind(perLock(lock)) : LockMode.EXCLUSIVE;
    }

    /** A kind that this lock is not. */
    LockMode otherKind(int lock) {
        return CallMode.otherKind(whole(lock), perLock(lock));
    }

    private SplittableRandom perLock(int lock) {
        return new SplittableRandom(seed ^ PER_LOCK * (lock + 1));
    }

    int allThreads() {
        return clients * threads;
    }

    /**
     * Returns the options of a client. They have {@code fifo} only if the backend claims that order, and {@code keeps}
     * only if it recalls. Then every second client keeps locks, except those with strict order.
     */
    ClientOptions options(int client, ClientOptions usual, boolean fifo, boolean keeps) {
        ClientOptions options = options(client, usual, fifo);
        if (!keeps || (seed + client) % 2 == 0 || options.ordering() == Ordering.FIFO) {
            return options;
        }
        Duration most = options.renewedLease().dividedBy(3);
        return options.keep(KEEP.compareTo(most) < 0 ? KEEP : most);
    }

    private ClientOptions options(int client, ClientOptions usual, boolean fifo) {
        return switch (manner(client)) {
            case 0 -> usual.handOff(false);
            case 2 -> fifo ? usual.ordering(Ordering.FIFO) : usual;
            case BRIEF -> usual.renewedLease(BRIEF_LEASE).unavailableAfter(usual.unavailableAfter());
            default -> usual;
        };
    }

    /** Returns true if a short pause of the machine may cost the client its renewed leases. */
    boolean brief(int client) {
        return manner(client) == BRIEF;
    }

    private int manner(int client) {
        return new SplittableRandom(seed ^ PER_CLIENT * (client + 1)).nextInt(MANNERS);
    }

    /** Returns the calls of a thread, in order. */
    List<PlannedCall> calls(int thread) {
        SplittableRandom random = new SplittableRandom(seed ^ PER_THREAD * (thread + 1));
        List<PlannedCall> calls = new ArrayList<>();
        while (calls.size() < CALLS) {
            PlannedCall planned = call(random);
            if (closes || planned.call() != Call.CLOSE) {
                calls.add(planned);
            }
        }
        return calls;
    }

    private PlannedCall call(SplittableRandom random) {
        LeaseKind leaseKind = draw(random, LeaseKind.values(), value -> value.weight);
        boolean fixed = leaseKind == LeaseKind.SHORT || leaseKind == LeaseKind.LONG;
        Call call = draw(random, Call.values(), value -> value.weight);
        int lock = random.nextInt(locks);
        return new PlannedCall(
                call,
                lock,
                sharing ? mode(random, lock) : CallMode.EXCLUSIVE,
                mostlyShort(random, 30),
                random.nextBoolean(),
                random.nextInt(ONE_IN) == 0 ? Duration.ZERO : mostlyShort(random, 500),
                hold(random),
                leaseKind,
                leaseKind == LeaseKind.LONG ? LONG : Duration.ofMillis(30 + random.nextInt(60)),
                fixed && random.nextBoolean(),
                draw(random, Ending.values(), value -> value.weight),
                random.nextInt(ONE_IN) == 0 ? 1 + random.nextInt(2) : 0,
                random.nextInt(2 * ONE_IN) == 0 ? Optional.of(mostlyShort(random, 40)) : Optional.empty());
    }

    private CallMode mode(SplittableRandom random, int lock) {
        boolean mistaken = mixed && random.nextInt(MISTAKEN_ONE_IN) == 0;
        return CallMode.draw(random, mistaken ? otherKind(lock) : whole(lock));
    }

    /** Every fourth one outlasts the 20 ms for which a client may pass its lock on. */
    private static Duration hold(SplittableRandom random) {
        return switch (random.nextInt(ONE_IN)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(20 + random.nextInt(40));
            default -> mostlyShort(random, 20);
        };
    }

    private static Duration mostlyShort(SplittableRandom random, int mostMillis) {
        double share = random.nextDouble();
        return Duration.ofNanos((long) (share * share * share * mostMillis * 1e6));
    }

    private static <T> T draw(SplittableRandom random, T[] values, ToIntFunction<T> weight) {
        int all = 0;
        for (T value : values) {
            all += weight.applyAsInt(value);
        }
        int drawn = random.nextInt(all);
        int index = 0;
        while (drawn >= weight.applyAsInt(values[index])) {
            drawn -= weight.applyAsInt(values[index++]);
        }
        return values[index];
    }

    @Override
    public String toString() {
        return "seed " + seed + ": clients " + clients + ", threads of each " + threads
                + (virtual ? " (virtual where there are such)" : "") + ", locks: "
                + IntStream.range(0, locks)
                        .mapToObj(lock -> whole(lock).toString())
                        .collect(Collectors.joining(", "));
    }
}
