package io.hasp.engine.driver;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.machine.Event;
import io.hasp.spi.Renewal;

/**
 * The machine of one lock name, as the timer of all leases sees it. Most alarms only begin a renewal, and most answers only confirm a lease:
 * two steps that have no effects and make no objects. An error of these two is thrown, and ends the client.
 */
interface LeaseMachine {
    void apply(Event event);

    /**
     * Begins the renewal of a lease, and sets its next alarm. Returns false, and changes nothing, unless that is all that the passing time
     * means for the lease: {@link Event.TimePassed} has to follow.
     */
    default boolean beginsRenewal(HeldLease lease) {
        return false;
    }

    /**
     * Confirms a lease, and sets its next alarm. Returns false, and changes nothing, unless the answer means no more than that: {@link
     * Event.Renewed} has to follow.
     */
    default boolean confirms(HeldLease lease, long sentAt, Renewal.Renewed renewed) {
        return false;
    }
}
