package io.hasp.conformance.torture;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.processes.LockLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The actions and times of a torture, as a pure function of the seed and the setting, so that a seed can be repeated.
 * The reaction of real processes and servers is not reproducible.
 *
 * @param seed the source of all choices
 * @param setting the limits of the choices
 */
public record TorturePlan(long seed, Setting setting) {
    /** Odd constants far apart, so that neighbouring seeds, clients and turns draw unrelated numbers. */
    private static final long PER_CLIENT = 0x9E3779B97F4A7C15L;

    private static final long PER_TURN = 0xC2B2AE3D27D4EB4FL;
    private static final double SHARE_WITH_FAULTS = 0.8;
    private static final int ONE_IN = 4;
    private static final int KINDS = 3;
    private static final int PERMITS = 3;
    private static final int LONGEST_BURST = 32;
    private static final int NAMES = 6;

    /**
     * The limits of a torture.
     *
     * @param time how long the clients work
     * @param clients how many clients
     * @param locks how many locks they share
     * @param longestWait how long a client queues at most
     * @param longestHold how long it holds at most; mostly far shorter
     * @param longestLease the longest fixed lease; zero for renewed holds only
     * @param longestFault how long a fault lasts at most
     * @param threads how many threads of each client work side by side
     * @param sharing whether the locks are of all kinds in turn: exclusive, read-write, semaphore; else they are exclusive
     * @param together whether a client acquires a random set of the locks at a time, all or none
     */
    public record Setting(
            Duration time,
            int clients,
            int locks,
            Duration longestWait,
            Duration longestHold,
            Duration longestLease,
            Duration longestFault,
            int threads,
            boolean sharing,
            boolean together) {

        /**
         * Usual limits, all in proportion to one unit.
         *
         * @param time how long the clients work
         * @param unit about the lock's lease or session timeout
         * @return four clients on two locks, with renewed holds only
         */
        public static Setting of(Duration time, Duration unit) {
            return new Setting(
                    time,
                    4,
                    2,
                    unit.multipliedBy(2),
                    unit.dividedBy(4),
                    Duration.ZERO,
                    unit.multipliedBy(2),
                    1,
                    false,
                    false);
        }

        /**
         * The same with fixed leases as well.
         *
         * @param longest the longest fixed lease
         * @return a copy
         */
        public Setting leases(Duration longest) {
            return new Setting(
                    time, clients, locks, longestWait, longestHold, longest, longestFault, threads, sharing, together);
        }

        /**
         * The same with other holds.
         *
         * @param longest how long a client holds at most
         * @return a copy
         */
        public Setting holding(Duration longest) {
            return new Setting(
                    time, clients, locks, longestWait, longest, longestLease, longestFault, threads, sharing, together);
        }

        /**
         * The same with one lock of each kind.
         *
         * @return a copy
         */
        public Setting ofAllKinds() {
            return new Setting(
                    time, clients, KINDS, longestWait, longestHold, longestLease, longestFault, threads, true, false);
        }

        /**
         * The same with random sets of more locks, without fixed leases.
         *
         * @return a copy
         */
        public Setting ofSets() {
            return new Setting(
                    time, clients, NAMES, longestWait, longestHold, Duration.ZERO, longestFault, threads, false, true);
        }
    }

    /**
     * One fault.
     *
     * @param at when, since the beginning
     * @param length for how long
     * @param fault which of the faults, as an index
     * @param choice the random number for a fault that has a choice
     */
    public record ScheduledFault(Duration at, Duration length, int fault, long choice) {}

    /**
     * Returns the actions of a client in one turn: mostly one attempt, now and then a burst of holds without a pause.
     *
     * @param client the index of the client, or of one of its threads
     * @param turn the number of the turn, from 0
     * @return a loop without a counter
     */
    public LockLoop turn(int client, long turn) {
        SplittableRandom random = new SplittableRandom(seed ^ PER_CLIENT * (client + 1) ^ PER_TURN * (turn + 1));
        int lock = random.nextInt(setting.locks());
        LockLoop loop = LockLoop.on("torture-" + lock, setting.time());
        loop = setting.together() ? loop.together(others(lock, random)) : loop;
        loop = (setting.sharing() ? sharing(loop, lock, random) : loop)
                .waiting(random.nextInt(ONE_IN) == 0 ? Duration.ZERO : upTo(random, setting.longestWait(), 1));
        if (random.nextInt(ONE_IN) == 0) {
            return loop.rounds(random.nextInt(1, LONGEST_BURST));
        }
        loop = loop.rounds(1).holding(upTo(random, setting.longestHold(), ONE_IN));
        if (setting.longestLease().isZero() || random.nextInt(ONE_IN) != 0) {
            return loop;
        }
        Duration shortest = setting.longestLease().dividedBy(ONE_IN);
        return loop.leased(shortest.plus(upTo(random, setting.longestLease().minus(shortest), 1)));
    }

    /** Each of the other locks is as likely in the set as not; there is at least one. The order is random, too. */
    private List<String> others(int lock, SplittableRandom random) {
        List<String> others = new ArrayList<>();
        while (others.isEmpty()) {
            for (int other = 0; other < setting.locks(); other++) {
                if (other != lock && random.nextBoolean()) {
                    others.add(random.nextInt(others.size() + 1), "torture-" + other);
                }
            }
        }
        return others;
    }

    /**
     * Returns the acquisition of all locks after the end.
     *
     * @param wait the time after which none may be taken any more
     */
    LockLoop last(Duration wait) {
        List<String> others = IntStream.range(1, setting.locks())
                .mapToObj(lock -> "torture-" + lock)
                .toList();
        return LockLoop.on("torture-0", wait.multipliedBy(2))
                .together(others)
                .rounds(1)
                .waiting(wait);
    }

    /** As a writer or a holder of several permits, every second one keeps a part for as long again. */
    private static LockLoop sharing(LockLoop loop, int lock, SplittableRandom random) {
        LockMode mode = switch (lock % KINDS) {
            case 0 -> LockMode.EXCLUSIVE;
            case 1 -> random.nextInt(ONE_IN) == 0 ? LockMode.WRITE : LockMode.READ;
            default -> LockMode.permits(1 + random.nextInt(PERMITS), PERMITS);
        };
        boolean lowers = mode.weight() > 1 && random.nextBoolean();
        return lowers ? loop.as(mode).lowered() : loop.as(mode);
    }

    /** Returns true if a lock protects a counter. Tokens of permits are names, which a counter can't check. */
    boolean counted(int lock) {
        return !setting.sharing() || lock % KINDS != KINDS - 1;
    }

    /**
     * The faults, one at a time, none near the end: there clients show that they work again.
     *
     * @param faults how many different faults there are
     * @return in the order of time; empty if there are none
     */
    public List<ScheduledFault> schedule(int faults) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ScheduledFault> schedule = new ArrayList<>();
        long end = (long) (setting.time().toNanos() * SHARE_WITH_FAULTS);
        long longest = setting.longestFault().toNanos();
        long at = 0;
        while (faults > 0) {
            at += random.nextLong(longest / 2, longest);
            long length = random.nextLong(longest / 10, longest);
            if (at + length > end) {
                break;
            }
            schedule.add(new ScheduledFault(
                    Duration.ofNanos(at), Duration.ofNanos(length), random.nextInt(faults), random.nextLong()));
            at += length;
        }
        return schedule;
    }

    /** For how long clients show at least, after the last fault, that they work again. */
    Duration leadOut() {
        return Duration.ofNanos((long) (setting.time().toNanos() * (1 - SHARE_WITH_FAULTS)));
    }

    /** With a higher power, mostly short. */
    private static Duration upTo(SplittableRandom random, Duration longest, int power) {
        return Duration.ofNanos((long) (longest.toNanos() * Math.pow(random.nextDouble(), power)));
    }
}
