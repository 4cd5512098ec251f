package io.hasp.spring;

import io.hasp.locked.HeldLeases;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** What this process holds, and which of its locked methods wait. Nothing can be changed here. */
@Endpoint(id = "locks")
final class LocksEndpoint {
    private final LeasesHere leases;
    private final HeldLeases methods;

    LocksEndpoint(LeasesHere leases, HeldLeases methods) {
        this.leases = leases;
        this.methods = methods;
    }

    /**
     * What there is.
     *
     * @param held leases of the clients that {@code hasp.*} configures
     * @param waiting calls of {@code @Locked} methods, by the names of their locks
     */
    record Locks(List<LeasesHere.HeldLease> held, Map<String, Integer> waiting) {}

    @ReadOperation
    Locks locks() {
        return new Locks(leases.all(), methods.waiting());
    }
}
