package io.hasp.simulator;

/** What must hold at every moment, checked where it can break; {@link QuiescenceCheck} has what must hold when all has come to rest. */
final class InvariantChecks {
    final LeaseChecks leases;
    final TokenChecks tokens;
    final WaitChecks waits;
    final LeaseEndChecks ends;

    InvariantChecks(SimulationRun run, Configuration configuration) {
        tokens = new TokenChecks(run, configuration.names());
        leases = new LeaseChecks(run, tokens, configuration.names());
        waits = new WaitChecks(run, leases, configuration);
        ends = new LeaseEndChecks(run, leases, waits, configuration);
    }
}
