package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.LeaseState;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The end of a lease is told as it was: by its release, to its observers and to the listeners. */
final class EndChecks {
    private static final long LONGEST_TELLING = Duration.ofMillis(20).toNanos();

    private final World world;
    private final LeaseChecks leases;
    private final WaitChecks waits;
    private final int[][] lost;
    private final Map<HolderId, Released> found = new HashMap<>();

    EndChecks(World world, LeaseChecks leases, WaitChecks waits, Configuration configuration) {
        this.world = world;
        this.leases = leases;
        this.waits = waits;
        lost = new int[configuration.clients() + 1][configuration.names()];
    }

    /** The client heard what a release found. */
    void found(HolderId holder, Released what) {
        found.merge(holder, what, (one, other) -> one == Released.RELEASED ? one : other);
    }

    /** A client releases a holder again of which the server has nothing, as it has told the client. */
    Violation releasedInVain(int client, HolderId holder) {
        return world.violated(
                "a release has a reason",
                "c" + client + " releases " + world.network.holder(holder)
                        + " again, and the server has nothing of it");
    }

    /** A client gives a holder back: one whose lease has come to its end hears of that before, or within 20 ms. */
    void withdrawn(int client, HolderId holder) {
        for (Belief belief : leases.beliefsOf(holder)) {
            SimulatedClient mine = belief.caller.client;
            if (mine.index == client
                    && belief.observed
                    && belief.told != LeaseState.LOST
                    && belief.lease.state() == LeaseState.LOST
                    && !mine.disturbed(world.now())
                    && mine.driver.sinceItsEnd(belief.lease) < LONGEST_TELLING) {
                throw world.violated("the holder hears of the end first", belief.caller + " observes " + belief.lease);
            }
        }
    }

    /** A caller heard how its release went. */
    void released(Belief belief, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        Caller caller = belief.caller;
        if (thrown instanceof BackendUnavailableException) {
            waits.unavailable(caller, thrown);
        }
        if (belief.active()) {
            throw world.violated("a release ends it", caller + " released " + belief.lease);
        }
        if (result == ReleaseResult.RELEASED) {
            wasHeld(belief);
        } else if (result == ReleaseResult.LOST) {
            wasLost(belief);
        } else if (result == ReleaseResult.ALREADY_RELEASED && !caller.client.closing) {
            throw world.violated("a release counts once", caller + " released " + belief.lease + " in state " + before);
        }
        if (result == ReleaseResult.LOST || belief.lease.state() == LeaseState.LOST) {
            lost[caller.client.index][caller.name]++;
        }
    }

    private void wasHeld(Belief belief) {
        // A grant that was passed on is released by another, which may find it gone.
        boolean asked = !world.configuration.handOff();
        boolean gone = answer(belief) == Released.NOT_HELD;
        if ((asked && gone) || belief.lease.state() == LeaseState.LOST) {
            throw world.violated(
                    "a loss found by a release is told", belief.caller + " released " + belief.lease + ": RELEASED");
        }
    }

    private void wasLost(Belief belief) {
        if (answer(belief) != Released.NOT_HELD && belief.lease.state() == LeaseState.RELEASED) {
            throw world.violated("only what is lost is LOST", belief.caller + " released " + belief.lease);
        }
        if (!belief.caller.client.driver.knowsOfLoss(belief.lease)) {
            throw world.violated(
                    "a loss found by a release is told",
                    belief.caller + " released " + belief.lease + " inside of call()");
        }
    }

    private @Nullable Released answer(Belief belief) {
        return found.get(belief.granted.grant.claim().holder());
    }

    /** An observer was told. */
    void told(Belief belief, LeaseState state) {
        if (belief.told == LeaseState.LOST || belief.told == LeaseState.RELEASED || belief.told == state) {
            throw world.violated(
                    "observers hear each change once",
                    belief.caller + " was told " + state + " of " + belief.lease + " after " + belief.told);
        }
        belief.told = state;
    }

    /** A listener heard of a lease whose predecessor has not ended for it. */
    Violation heardTooEarly(SimulatedClient client, LockEvent event) {
        return world.violated(
                "news comes in order", "c" + client.index + " was told " + event + " before the end of another lease");
    }

    /** At rest: what was lost was told. */
    void lossesTold(List<SimulatedClient> clients) {
        for (int i = 0; i < lost.length; i++) {
            for (int name = 0; name < lost[i].length; name++) {
                int told = 0;
                for (SimulatedClient client : clients) {
                    told += client.index == i ? client.toldLost[name] : 0;
                }
                if (told < lost[i][name]) {
                    throw world.violated(
                            "a loss is told",
                            "c" + i + " lost " + lost[i][name] + " leases of " + world.name(name)
                                    + " and its listener heard of " + told);
                }
            }
        }
        leases.all().forEach(all -> all.forEach(this::observersHeard));
    }

    private void observersHeard(Belief belief) {
        LeaseState state = belief.lease.state();
        boolean ended = state == LeaseState.LOST || state == LeaseState.RELEASED;
        if (belief.observed && ended && belief.told != state) {
            throw world.violated(
                    "observers hear of the end",
                    belief.caller + " observes " + belief.lease + " and was told " + belief.told + " last");
        }
    }
}
