package io.hasp.conformance.processes;

import io.hasp.conformance.LockMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A loop for a client: acquires a lock, increments a counter, holds the lock for a while, releases it, and repeats
 * until the time or the rounds are over. The counter is read at the beginning of a hold and written at its end, even if
 * the client has noticed a loss since: that is how updates get lost. After a failure the loop pauses for a few
 * milliseconds.
 *
 * @param lock the lock's name
 * @param time the duration of the loop
 * @param rounds the number of attempts after which it stops
 * @param threads the number of threads that run the loop in parallel
 * @param patience the time that each attempt queues
 * @param hold the time of each hold
 * @param lease the fixed lease; empty for renewed holds
 * @param counter a {@link CounterFile}; empty for none
 * @param fenced true if the counter checks the token
 * @param mode the mode of the hold; only a holder of the whole lock increments the counter, other holders read it
 * @param lowering true to continue with less of the lock for the same time again: a writer reads, a holder of permits
 *     keeps one
 * @param others the names of locks that are acquired together with it, without a fixed lease; mostly none
 */
public record LockLoop(
        String lock,
        Duration time,
        long rounds,
        int threads,
        Duration patience,
        Duration hold,
        Optional<Duration> lease,
        Optional<Path> counter,
        boolean fenced,
        LockMode mode,
        boolean lowering,
        List<String> others) {

    /**
     * One thread that holds the lock for no time and counts nothing.
     *
     * @param lock the lock's name
     * @param time how long to go on
     * @return the loop, to be adapted
     */
    public static LockLoop on(String lock, Duration time) {
        return new LockLoop(
                lock,
                time,
                Long.MAX_VALUE,
                1,
                Duration.ofSeconds(10),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                false,
                LockMode.EXCLUSIVE,
                false,
                List.of());
    }

    /**
     * The same with more threads.
     *
     * @param number how many
     * @return a copy
     */
    public LockLoop threads(int number) {
        return new LockLoop(lock, time, rounds, number, patience, hold, lease, counter, fenced, mode, lowering, others);
    }

    /**
     * The same with an end after some attempts.
     *
     * @param number how many, per thread
     * @return a copy
     */
    public LockLoop rounds(long number) {
        return new LockLoop(
                lock, time, number, threads, patience, hold, lease, counter, fenced, mode, lowering, others);
    }

    /**
     * The same with another wait.
     *
     * @param limit how long each attempt queues
     * @return a copy
     */
    public LockLoop waiting(Duration limit) {
        return new LockLoop(lock, time, rounds, threads, limit, hold, lease, counter, fenced, mode, lowering, others);
    }

    /**
     * The same with longer holds.
     *
     * @param length how long to hold the lock each time
     * @return a copy
     */
    public LockLoop holding(Duration length) {
        return new LockLoop(
                lock, time, rounds, threads, patience, length, lease, counter, fenced, mode, lowering, others);
    }

    /**
     * The same with fixed leases.
     *
     * @param length the lease
     * @return a copy
     */
    public LockLoop leased(Duration length) {
        return new LockLoop(
                lock,
                time,
                rounds,
                threads,
                patience,
                hold,
                Optional.of(length),
                counter,
                fenced,
                mode,
                lowering,
                others);
    }

    /**
     * The same with a counter that takes any write.
     *
     * @param file the counter's file
     * @return a copy
     */
    public LockLoop counting(Path file) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, lease, Optional.of(file), false, mode, lowering, others);
    }

    /**
     * The same with a counter that refuses old tokens.
     *
     * @param file the counter's file
     * @return a copy
     */
    public LockLoop countingFenced(Path file) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, lease, Optional.of(file), true, mode, lowering, others);
    }

    /**
     * The same for a lock that others may share.
     *
     * @param how to hold it
     * @return a copy
     */
    public LockLoop as(LockMode how) {
        return new LockLoop(lock, time, rounds, threads, patience, hold, lease, counter, fenced, how, lowering, others);
    }

    /**
     * The same with a second half of each hold, with less of the lock.
     *
     * @return a copy
     */
    public LockLoop lowered() {
        return new LockLoop(lock, time, rounds, threads, patience, hold, lease, counter, fenced, mode, true, others);
    }

    /**
     * The same with more locks, all or none.
     *
     * @param more the names of the others
     * @return a copy
     */
    public LockLoop together(List<String> more) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, lease, counter, fenced, mode, lowering, List.copyOf(more));
    }

    /**
     * The outcome of a loop.
     *
     * @param held acquisitions
     * @param refused attempts that found the lock busy for their whole wait
     * @param failed failures to acquire, count or release
     * @param fencedOff old tokens that the counter refused
     */
    public record Outcome(long held, long refused, long failed, long fencedOff) {
        /** Of no work at all. */
        public static final Outcome NONE = new Outcome(0, 0, 0, 0);

        /**
         * The sum of two.
         *
         * @param other another outcome
         * @return both together
         */
        public Outcome plus(Outcome other) {
            return new Outcome(
                    held + other.held, refused + other.refused, failed + other.failed, fencedOff + other.fencedOff);
        }
    }
}
