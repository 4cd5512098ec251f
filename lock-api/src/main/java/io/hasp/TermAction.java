package io.hasp;

/** Does the work of a leader; see {@link LeaderElection#run}. */
@FunctionalInterface
public interface TermAction {

    /**
     * Does the work of one term, on a thread of the election's own. The term ends when this method returns or throws.
     *
     * @param term has begun; send its token with every protected write
     * @throws Exception an exception of the work: logged, and the work is tried again after a pause. After an interrupt that ended the term it
     *     is ignored
     */
    void run(Term term) throws Exception;
}
