package io.hasp.spring;

import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import org.springframework.context.ApplicationEvent;

/**
 * Published when the candidate of {@code hasp.election} begins to lead or leads no more. Published in the order of the changes, on a thread
 * of the election's own: a listener that blocks delays later events of the election, and nothing else.
 */
public final class LeaderChangedEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    private final transient LeaderElection election;
    private final transient LeaderChange change;

    /**
     * Creates an event.
     *
     * @param election the election whose candidate is concerned
     * @param change the begin or the end of a term
     */
    public LeaderChangedEvent(LeaderElection election, LeaderChange change) {
        super(election);
        this.election = election;
        this.change = change;
    }

    /**
     * Returns the election whose candidate is concerned.
     *
     * @return the bean
     */
    public LeaderElection election() {
        return election;
    }

    /**
     * Returns the begin or the end of a term.
     *
     * @return the change
     */
    public LeaderChange change() {
        return change;
    }
}
