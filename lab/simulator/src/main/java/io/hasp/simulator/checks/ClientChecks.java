package io.hasp.simulator.checks;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.simulator.clients.ClientMonitor;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.network.BackendMonitor;
import io.hasp.simulator.world.Violation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes each event of clients and callers on to the check that it concerns. */
public final class ClientChecks implements ClientMonitor {
    private final InvariantChecks checks;

    public ClientChecks(InvariantChecks checks) {
        this.checks = checks;
    }

    @Override
    public BackendMonitor opens(SimulatedClient client) {
        return checks.opens(client);
    }

    @Override
    public void held(int client, int name) {
        checks.waits.held(client, name);
    }

    @Override
    public void doubted(SimulatedClient client, String lock) {
        checks.leases.doubted(client, lock);
    }

    @Override
    public Violation miscounted(SimulatedClient client, LockEvent event) {
        return checks.ends.miscounted(client, event);
    }

    @Override
    public Violation heardTooEarly(SimulatedClient client, LockEvent event) {
        return checks.ends.heardTooEarly(client, event);
    }

    @Override
    public void suspended(SimulatedClient client, long nanos) {
        checks.leases.suspended(client, nanos);
        checks.keeps.suspended(client, nanos);
        checks.waits.suspended(client.index, nanos);
    }

    @Override
    public long floorAbove(int name, int grants) {
        return checks.tokens.floorAbove(name, grants);
    }

    @Override
    public int serverMemory() {
        return checks.tokens.memory();
    }

    @Override
    public void floorRaised(int client, int name, long token, int memoryBefore) {
        checks.tokens.floorRaised(client, name, token, memoryBefore);
    }

    @Override
    public void joins(SimulatedCaller caller) {
        checks.waits.joins(caller);
    }

    @Override
    public void leaves(SimulatedCaller caller, int name) {
        checks.waits.leaves(caller, name);
    }

    @Override
    public void empty(SimulatedCaller caller) {
        checks.waits.empty(caller);
    }

    @Override
    public void inTime(SimulatedCaller caller) {
        checks.waits.inTime(caller);
    }

    @Override
    public void failed(SimulatedCaller caller, BackendException why) {
        checks.waits.failed(caller, why);
    }

    @Override
    public void unavailable(SimulatedCaller caller, Throwable why) {
        checks.waits.unavailable(caller, why);
    }

    @Override
    public TrackedLease given(SimulatedCaller caller, Lease lease) {
        return checks.leases.given(caller, lease);
    }

    @Override
    public TrackedLease lowered(TrackedLease old, Lease lease, Duration before) {
        return checks.leases.lowered(old, lease, before);
    }

    @Override
    public void look(TrackedLease tracked) {
        checks.leases.look(tracked);
    }

    @Override
    public void extended(TrackedLease tracked, Duration asked) {
        checks.leases.extended(tracked, asked);
    }

    @Override
    public void notified(TrackedLease tracked, LeaseState state) {
        checks.ends.notified(tracked, state);
    }

    @Override
    public void released(
            TrackedLease tracked, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        checks.ends.released(tracked, before, result, thrown);
    }
}
