package io.hasp;

import java.util.Optional;

/**
 * The begin or the end of a term of one candidate; see {@link LeaderElection#onChange}.
 *
 * <p>Later versions may add a change: a {@code switch} over it needs a {@code default}.
 */
public sealed interface LeaderChange {

    /**
     * Returns the term that began or ended.
     *
     * @return the term
     */
    Term term();

    /**
     * The candidate leads.
     *
     * @param term the term that began. It may have ended since
     */
    record Elected(Term term) implements LeaderChange {}

    /**
     * The candidate leads no more.
     *
     * @param term the term that ended
     * @param loss the reason of a loss; empty if the candidate resigned
     */
    record Ended(Term term, Optional<String> loss) implements LeaderChange {}
}
