package io.hasp.simulator;

/** What must hold at every moment, checked where it can break; {@link Rest} has what must hold when all has come to rest. */
final class Checks {
    final LeaseChecks leases;
    final TokenChecks tokens;
    final WaitChecks waits;
    final EndChecks ends;

    Checks(World world, Configuration configuration) {
        tokens = new TokenChecks(world, configuration.names());
        leases = new LeaseChecks(world, tokens, configuration.names());
        waits = new WaitChecks(world, leases, configuration);
        ends = new EndChecks(world, leases, waits, configuration);
    }
}
