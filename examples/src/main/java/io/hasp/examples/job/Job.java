package io.hasp.examples.job;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import java.util.concurrent.FutureTask;

/**
 * A job of many steps that only one process at a time should do. It looks at its lease before each step, and a step that is
 * under way is interrupted when the lease is lost: so it stops at the lease's own deadline, without a word from the server.
 */
public final class Job {
    private static final int FILES = 300;

    private Job() {}

    /** A part of the job. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does the next part.
         *
         * @param token belongs into every protected write
         * @return whether there is more to do
         * @throws Exception if it fails, or is interrupted because the lease was lost
         */
        boolean run(long token) throws Exception;
    }

    /**
     * Waits for the lock and does step after step on the calling thread. When this returns or throws, no step is under way.
     *
     * @param lock held all the time
     * @param step done until it says that there is no more to do
     * @return how many steps were done
     * @throws LeaseLostException if the lease was lost before the last step was done
     * @throws Exception what a step throws, as the cause of an {@code ExecutionException}
     */
    public static long run(DistributedLock lock, Step step) throws Exception {
        return lock.call(lease -> {
            FutureTask<Long> steps = new FutureTask<>(() -> steps(lease, step));
            lease.onChange(Runnable::run, state -> {
                if (state == LeaseState.LOST) {
                    steps.cancel(true);
                }
            });
            steps.run();
            if (steps.isCancelled()) {
                Thread.interrupted(); // what the cancellation may have left behind
                lease.ensureHeld();
            }
            return steps.get();
        });
    }

    private static long steps(Lease lease, Step step) throws Exception {
        long done = 0;
        boolean more = true;
        while (more && !lease.remaining().isZero()) {
            more = step.run(lease.fencingToken());
            done++;
        }
        return done;
    }

    /**
     * Imports files for half a minute, unless the lock is lost: stop its server and see.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws Exception if the lock service fails
     */
    public static void main(String[] args) throws Exception {
        String uri = args.length > 0 ? args[0] : "memory://local";
        int[] imported = {0};
        try (LockClient locks = LockClient.connect(uri)) {
            run(locks.lock("import"), token -> {
                Thread.sleep(100);
                System.out.println("imported file " + ++imported[0] + ", with token " + token);
                return imported[0] < FILES;
            });
            System.out.println("done");
        } catch (LeaseLostException e) {
            System.out.println("stopped: " + e.getMessage());
        }
    }
}
