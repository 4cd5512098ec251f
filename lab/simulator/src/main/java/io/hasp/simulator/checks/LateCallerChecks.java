package io.hasp.simulator.checks;

import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import java.time.Duration;

/** Checks that a caller whose wait is over waits for an answer only: its client does not pause in between. */
public final class LateCallerChecks {
    /** A client tries again within that time, and observers that block hold a release up no longer. */
    private static final long LONGEST_PAUSE =
            Configuration.RECALL_WITHIN.plus(Duration.ofMillis(30)).toNanos();

    /** Work that is interrupted has twice the margin of its lease at most, before that lease is released. */
    private static final long LONGEST_STOP = Duration.ofMillis(150).toNanos();

    private static final long NOT_IDLE = Long.MAX_VALUE;

    private final World world;
    private final Network network;
    /** By client and name: since when no request of the client is under way; NOT_IDLE if one is. */
    private final long[][] idleSince;

    private final long longest;

    LateCallerChecks(Network network) {
        this.world = network.world;
        this.network = network;
        Configuration configuration = world.configuration;
        longest = LONGEST_PAUSE + (configuration.interrupts() ? LONGEST_STOP : 0);
        idleSince = new long[configuration.clients() + 1][configuration.names()];
    }

    /** Each client has made all steps that it can make at this moment. */
    public void beforeTimePasses(SimulatedClient client) {
        for (int name = 0; name < world.configuration.names(); name++) {
            boolean idle = !client.disturbed(world.now()) && !network.awaitsAnswer(client.backend, world.name(name));
            long since = Math.min(idleSince[client.index][name], world.now());
            idleSince[client.index][name] = idle ? since : NOT_IDLE;
        }
    }

    /** Time has passed since then. */
    public void timePassed(SimulatedClient client) {
        if (client.closing || client.disturbed(world.now()) || excused()) {
            return;
        }
        for (SimulatedCaller caller : client.callers) {
            long end = caller.isLate(caller.name) ? caller.joinedAt + caller.wait.toNanos() : world.now();
            long since = Math.max(end, idleSince[client.index][caller.name]);
            if (world.now() - since > longest && !caller.disturbed) {
                throw world.violated(
                        "a wait that is over waits for an answer only",
                        caller + " waits for " + Duration.ofNanos(world.now() - since)
                                + " although no request of its client is under way");
            }
        }
    }

    /** A server that breaks its contract may leave requests to a pause, and threads of the program may hold a request up. */
    private boolean excused() {
        return world.configuration.broken() || world.configuration.hasThreads();
    }
}
