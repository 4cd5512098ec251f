package io.hasp.simulator;

import java.time.Duration;

/** Checks that a caller whose wait is over waits for an answer only: its client does not pause in between. */
final class LateCallerChecks {
    /** A client tries again within that time, and observers that block hold a release up no longer. */
    private static final long LONGEST_PAUSE =
            Configuration.RECALL_WITHIN.plus(Duration.ofMillis(30)).toNanos();

    /** Work that is interrupted has twice the margin of its lease at most, before that lease is released. */
    private static final long LONGEST_STOP = Duration.ofMillis(150).toNanos();

    private static final long NOT_IDLE = Long.MAX_VALUE;

    private final SimulationRun run;
    /** By client and name: since when no request of the client is under way; NOT_IDLE if one is. */
    private final long[][] idleSince;

    private final long longest;

    LateCallerChecks(SimulationRun run, Configuration configuration) {
        this.run = run;
        longest = LONGEST_PAUSE + (configuration.interrupts() ? LONGEST_STOP : 0);
        idleSince = new long[configuration.clients() + 1][configuration.names()];
    }

    /** Each client has made all steps that it can make at this moment. */
    void beforeTimePasses(SimulatedClient client) {
        for (int name = 0; name < run.configuration.names(); name++) {
            boolean idle = !client.disturbed(run.now()) && !run.network.awaitsAnswer(client.backend, run.name(name));
            long since = Math.min(idleSince[client.index][name], run.now());
            idleSince[client.index][name] = idle ? since : NOT_IDLE;
        }
    }

    /** Time has passed since then. */
    void timePassed(SimulatedClient client) {
        if (client.closing || client.disturbed(run.now()) || excused()) {
            return;
        }
        for (SimulatedCaller caller : client.callers) {
            long end = caller.isLate(caller.name) ? caller.joinedAt + caller.wait.toNanos() : run.now();
            long since = Math.max(end, idleSince[client.index][caller.name]);
            if (run.now() - since > longest && !caller.disturbed) {
                throw run.violated(
                        "a wait that is over waits for an answer only",
                        caller + " waits for " + Duration.ofNanos(run.now() - since)
                                + " although no request of its client is under way");
            }
        }
    }

    /**
     * A server that breaks its contract may leave requests to a pause, threads of the program may hold a request up, and a part of a
     * share is given back again after a pause if that was not answered.
     */
    private boolean excused() {
        return run.configuration.broken() || run.configuration.hasThreads() || run.configuration.shared();
    }
}
