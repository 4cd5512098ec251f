package io.hasp.evaluation.measure;

import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;

/** A lock that takes part in a comparison, connected. */
public interface ConnectedSubject {

    /**
     * Its name in the results.
     *
     * @return the subject
     */
    String subject();

    /**
     * Returns the claims of the lock.
     *
     * @return the claims
     */
    Set<Claimed> claims();

    /**
     * Returns true if the lock takes part in some work. A lock that can't be held in the required way does not.
     *
     * @param workload the work
     * @return false if it has no figure there
     */
    default boolean takesPart(Workload workload) {
        return workload.experiment().needs().map(claims()::contains).orElse(true);
    }

    /**
     * Returns a function that counts the subjects of a workload.
     *
     * @param subjects all subjects
     * @return the number of participants of a workload
     */
    static ToIntFunction<Workload> participants(List<ConnectedSubject> subjects) {
        return workload ->
                (int) subjects.stream().filter(each -> each.takesPart(workload)).count();
    }

    /**
     * Works for one slice of time.
     *
     * @param workload the work
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or a thread did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult work(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * A lock for the threads of this process alone.
     *
     * @param subject its name in the results
     * @param claims what it claims
     * @param user the client that all threads share
     * @return a subject for workloads of one process
     */
    static ConnectedSubject here(String subject, Set<Claimed> claims, LockUser user) {
        return new ConnectedSubject() {
            @Override
            public String subject() {
                return subject;
            }

            @Override
            public Set<Claimed> claims() {
                return claims;
            }

            @Override
            public SliceResult work(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
                SliceLog log = SliceLog.work(List.of(user), workload, System.nanoTime(), slice);
                return SliceResult.of(slice, List.of(log), ResourceUsage.UNKNOWN);
            }
        };
    }
}
