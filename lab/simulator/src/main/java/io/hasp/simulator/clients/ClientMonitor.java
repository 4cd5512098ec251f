package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.simulator.network.BackendMonitor;
import io.hasp.simulator.world.Violation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes the clients of a run and their callers. A method throws the violation that it finds, unless it returns one. */
public interface ClientMonitor {
    /** A client opens. Returns the monitor of its backend. */
    BackendMonitor opens(SimulatedClient client);

    /** A client is known to have a lock itself at this moment. */
    void held(int client, int name);

    /** A lease can't be confirmed. */
    void doubted(SimulatedClient client, String lock);

    /** A listener that counts waits and leases has another number than there are. */
    Violation miscounted(SimulatedClient client, LockEvent event);

    /** A listener receives the beginning of a lease before the end of the previous one. */
    Violation heardTooEarly(SimulatedClient client, LockEvent event);

    /** The machine of a client is suspended, and its clock stands still for that long. */
    void suspended(SimulatedClient client, long nanos);

    /** A token floor that is that many grants above the last token. */
    long floorAbove(int name, int grants);

    /** The number of times that the server forgot everything. */
    int serverMemory();

    /** A floor was raised. A server that has forgotten everything since the request may have forgotten the floor as well. */
    void floorRaised(int client, int name, long token, int memoryBefore);

    /** A caller begins to wait. */
    void joins(SimulatedCaller caller);

    /** A caller has given up. The next one behind it makes a request now, and waits for the reply. */
    void leaves(SimulatedCaller caller, int name);

    /** The outcome of a wait is that others hold the lock. */
    void empty(SimulatedCaller caller);

    /** A wait has ended at this moment. */
    void inTime(SimulatedCaller caller);

    /** A wait has failed. */
    void failed(SimulatedCaller caller, BackendException why);

    /** A call has failed as it does in an outage. */
    void unavailable(SimulatedCaller caller, Throwable why);

    /** A caller receives a lease. */
    TrackedLease given(SimulatedCaller caller, Lease lease);

    /** A caller keeps a part of its share. The new lease stands in place of the old one, which had so much time left. */
    TrackedLease lowered(TrackedLease old, Lease lease, Duration before);

    /** A caller reads its lease. */
    void look(TrackedLease tracked);

    /** The server has confirmed a fixed lease for longer. */
    void extended(TrackedLease tracked, Duration asked);

    /** An observer is notified. */
    void notified(TrackedLease tracked, LeaseState state);

    /** A release has its outcome. */
    void released(TrackedLease tracked, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown);
}
