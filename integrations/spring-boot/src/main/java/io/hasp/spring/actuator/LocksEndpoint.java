package io.hasp.spring.actuator;

import io.hasp.InvalidArgumentException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Lists the leases held by this application's clients and the number of waiting callers; and for one name the holders and waiters of all
 * processes. Read-only.
 */
@Endpoint(id = "locks")
public final class LocksEndpoint {
    private final LeasesHere leases;
    private final LocksOnServers servers;

    public LocksEndpoint(LeasesHere leases, LocksOnServers servers) {
        this.leases = leases;
        this.servers = servers;
    }

    /**
     * The state of the clients.
     *
     * @param held leases of the clients that {@code hasp.*} configures
     * @param waiting callers that wait because others have the lock or the service fails, by the names of their locks
     */
    public record Locks(List<LeasesHere.HeldLease> held, Map<String, Integer> waiting) {}

    /**
     * One lock.
     *
     * @param name the name of the lock
     * @param services its state on the service of each client
     */
    public record OneLock(String name, List<LocksOnServers.OnServer> services) {}

    @ReadOperation
    public Locks locks() {
        return new Locks(leases.held(), leases.waiting());
    }

    /** Names of locks may have slashes: {@code /actuator/locks/orders/42}. */
    @ReadOperation
    public OneLock lock(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        String whole = String.join("/", name);
        try {
            return new OneLock(whole, servers.find(whole));
        } catch (InvalidArgumentException e) {
            throw new InvalidEndpointRequestException(
                    String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
        }
    }
}
