package io.hasp.simulator;

/** All checks of what must hold at every moment. {@link QuiescenceCheck} checks what must hold when a run is quiescent. */
final class InvariantChecks {
    final LeaseChecks leases;
    final TokenChecks tokens;
    final WaitChecks waits;
    final LateCallerChecks lateCallers;
    final LeaseEndChecks ends;
    final KeepChecks keeps;
    final ClosingChecks closing;
    final FailStopChecks failStop;

    InvariantChecks(SimulationRun run, Configuration configuration) {
        tokens = new TokenChecks(run, configuration.names());
        leases = new LeaseChecks(run, tokens, configuration.names());
        waits = new WaitChecks(run, leases, configuration);
        lateCallers = new LateCallerChecks(run, configuration);
        ends = new LeaseEndChecks(run, leases, waits, configuration);
        keeps = new KeepChecks(run, configuration);
        closing = new ClosingChecks(run, leases);
        failStop = new FailStopChecks(run);
    }
}
