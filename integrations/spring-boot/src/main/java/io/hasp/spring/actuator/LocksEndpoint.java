package io.hasp.spring.actuator;

import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** What the clients of this application hold, and how many callers wait. Nothing can be changed here. */
@Endpoint(id = "locks")
public final class LocksEndpoint {
    private final LeasesHere leases;

    public LocksEndpoint(LeasesHere leases) {
        this.leases = leases;
    }

    /**
     * What there is.
     *
     * @param held leases of the clients that {@code hasp.*} configures
     * @param waiting callers that wait because others have the lock or the service fails, by the names of their locks
     */
    public record Locks(List<LeasesHere.HeldLease> held, Map<String, Integer> waiting) {}

    @ReadOperation
    public Locks locks() {
        return new Locks(leases.held(), leases.waiting());
    }
}
