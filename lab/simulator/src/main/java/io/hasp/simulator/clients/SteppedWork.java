package io.hasp.simulator.clients;

import io.hasp.Term;
import io.hasp.TermAction;
import org.jspecify.annotations.Nullable;

/** The work of one term, made in steps in the place of its thread. */
public interface SteppedWork {
    /**
     * The action of the candidate. It is not called.
     *
     * @return as given to {@code run}
     */
    TermAction action();

    /**
     * The term of the work.
     *
     * @return may have ended
     */
    Term term();

    /**
     * The thread of the work begins.
     *
     * @param interrupt runs when the thread would be interrupted
     * @return false if the work does not begin: it has ended
     */
    boolean begin(Runnable interrupt);

    /**
     * The work calls its election.
     *
     * @param call runs as on the thread of the work
     */
    void calls(Runnable call);

    /**
     * The work returns or throws.
     *
     * @param failure null if it returns
     */
    void end(@Nullable RuntimeException failure);
}
