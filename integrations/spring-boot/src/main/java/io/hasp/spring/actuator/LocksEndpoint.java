package io.hasp.spring.actuator;

import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Lists the leases held by this application's clients and the number of waiting callers. Read-only. */
@Endpoint(id = "locks")
public final class LocksEndpoint {
    private final LeasesHere leases;

    public LocksEndpoint(LeasesHere leases) {
        this.leases = leases;
    }

    /**
     * The state of the clients.
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
