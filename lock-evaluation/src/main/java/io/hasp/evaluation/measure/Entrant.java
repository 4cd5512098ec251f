package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** A lock that takes part, connected and ready. */
public interface Entrant {

    /**
     * Its name in the results.
     *
     * @return the subject
     */
    String subject();

    /**
     * Works for one slice of time.
     *
     * @param workload the work
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or never came back
     * @throws InterruptedException if the thread was interrupted
     */
    Tally work(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * A lock for the threads of this process alone.
     *
     * @param subject its name in the results
     * @param user the client that all threads share
     * @return an entrant for workloads of one process
     */
    static Entrant here(String subject, LockUser user) {
        return new Entrant() {
            @Override
            public String subject() {
                return subject;
            }

            @Override
            public Tally work(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
                Shift shift = Shift.work(List.of(user), workload, System.nanoTime(), slice);
                return Tally.of(slice, List.of(shift), Usage.UNKNOWN);
            }
        };
    }
}
