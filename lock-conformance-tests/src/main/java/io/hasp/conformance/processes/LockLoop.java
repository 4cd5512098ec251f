package io.hasp.conformance.processes;

import io.hasp.conformance.LockMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Work for a client: take a lock, increment a counter under it, hold it for a while, give it back, and again, until the
 * time is over or the rounds are done. The counter is read at the beginning of a hold and written at its end, whatever the
 * client has learned meanwhile: that is how updates get lost. After a failure it rests for a few milliseconds.
 *
 * @param lock the lock's name
 * @param time how long to go on
 * @param rounds after how many attempts to stop
 * @param threads how many do so side by side
 * @param patience how long each attempt queues
 * @param hold how long to hold the lock each time
 * @param lease for a fixed time; empty for renewed holds
 * @param counter a {@link CounterFile}; empty for none
 * @param fenced whether to show the token to the counter
 * @param mode how to hold the lock; only who holds all of it increments the counter, and others read it
 * @param lowering whether to go on with less of it for as long again: a writer reads, a holder of permits keeps one
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
        boolean lowering) {

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
                false);
    }

    /**
     * The same with more threads.
     *
     * @param number how many
     * @return a copy
     */
    public LockLoop threads(int number) {
        return new LockLoop(lock, time, rounds, number, patience, hold, lease, counter, fenced, mode, lowering);
    }

    /**
     * The same with an end after some attempts.
     *
     * @param number how many, per thread
     * @return a copy
     */
    public LockLoop rounds(long number) {
        return new LockLoop(lock, time, number, threads, patience, hold, lease, counter, fenced, mode, lowering);
    }

    /**
     * The same with another wait.
     *
     * @param limit how long each attempt queues
     * @return a copy
     */
    public LockLoop waiting(Duration limit) {
        return new LockLoop(lock, time, rounds, threads, limit, hold, lease, counter, fenced, mode, lowering);
    }

    /**
     * The same with longer holds.
     *
     * @param length how long to hold the lock each time
     * @return a copy
     */
    public LockLoop holding(Duration length) {
        return new LockLoop(lock, time, rounds, threads, patience, length, lease, counter, fenced, mode, lowering);
    }

    /**
     * The same with fixed leases.
     *
     * @param length the lease
     * @return a copy
     */
    public LockLoop leased(Duration length) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, Optional.of(length), counter, fenced, mode, lowering);
    }

    /**
     * The same with a counter that takes any write.
     *
     * @param file the counter's file
     * @return a copy
     */
    public LockLoop counting(Path file) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, lease, Optional.of(file), false, mode, lowering);
    }

    /**
     * The same with a counter that refuses old tokens.
     *
     * @param file the counter's file
     * @return a copy
     */
    public LockLoop countingFenced(Path file) {
        return new LockLoop(
                lock, time, rounds, threads, patience, hold, lease, Optional.of(file), true, mode, lowering);
    }

    /**
     * The same for a lock that others may share.
     *
     * @param how to hold it
     * @return a copy
     */
    public LockLoop as(LockMode how) {
        return new LockLoop(lock, time, rounds, threads, patience, hold, lease, counter, fenced, how, lowering);
    }

    /**
     * The same with a second half of each hold, with less of the lock.
     *
     * @return a copy
     */
    public LockLoop lowered() {
        return new LockLoop(lock, time, rounds, threads, patience, hold, lease, counter, fenced, mode, true);
    }

    /**
     * What came of it.
     *
     * @param held how often the lock was taken
     * @param refused how often it was busy for the whole wait
     * @param failed how often taking, counting or giving back failed
     * @param fencedOff how often the counter refused an old token
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
