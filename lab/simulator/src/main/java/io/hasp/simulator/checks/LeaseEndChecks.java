package io.hasp.simulator.checks;

import io.hasp.BackendException;
import io.hasp.LeaseState;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.simulator.clients.InterruptibleWork;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.Violation;
import io.hasp.simulator.world.World;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that the release of a lease, its observers and the listeners all report the true end of the lease. */
public final class LeaseEndChecks {
    private static final long LONGEST_NOTIFICATION = Duration.ofMillis(20).toNanos();

    private final World world;
    private final LeaseChecks leases;
    private final WaitChecks waits;
    private final int[][] lost;
    private final Map<HolderId, Released> found = new HashMap<>();

    LeaseEndChecks(World world, LeaseChecks leases, WaitChecks waits) {
        this.world = world;
        this.leases = leases;
        this.waits = waits;
        lost = new int[world.configuration.clients() + 1][world.configuration.names()];
    }

    /** The client received the result of a release. */
    void found(HolderId holder, Released what) {
        found.merge(holder, what, (one, other) -> one == Released.RELEASED ? one : other);
    }

    /** A client releases a holder again, although the server has said that it has nothing of it. */
    Violation releasedInVain(int client, HolderId holder) {
        return world.violated(
                "a release has a reason",
                "c" + client + " releases " + world.holder(holder) + " again, and the server has nothing of it");
    }

    /** A client releases a holder. The observers of a lease that has come to its end are notified before that, or within 20 ms. */
    void withdrawn(int client, HolderId holder) {
        for (TrackedLease tracked : leases.leasesOf(holder)) {
            SimulatedClient mine = tracked.caller.client;
            if (mine.index == client) {
                interrupted(tracked, mine);
                termEnded(tracked, mine);
            }
            if (mine.index == client
                    && tracked.observed
                    && tracked.notified != LeaseState.LOST
                    && tracked.state() == LeaseState.LOST
                    && !mine.disturbed(world.now())
                    && mine.driver.sinceItsEnd(tracked.lease) < LONGEST_NOTIFICATION) {
                throw world.violated(
                        "the holder hears of the end before the release",
                        tracked.caller + " observes " + tracked.lease);
            }
        }
    }

    /** A candidate that resigned leads for no one when its lock is released. */
    private void termEnded(TrackedLease tracked, SimulatedClient mine) {
        if (world.configuration.users() == Configuration.Users.CANDIDATES
                && tracked.caller.tracked == tracked
                && tracked.state() == LeaseState.RELEASED
                && !mine.givesBack
                && !mine.broken) {
            throw world.violated(
                    "a term has ended before its lock is released",
                    tracked.caller + " was not told of the end of " + tracked.lease);
        }
    }

    /** Work under a lease that has come to its end is interrupted before the lease is withdrawn. */
    private void interrupted(TrackedLease tracked, SimulatedClient mine) {
        InterruptibleWork work = tracked.work;
        if (work == null
                || mine.givesBack
                || tracked.state() != LeaseState.LOST
                || mine.driver.sinceItsEnd(tracked.lease) == Long.MAX_VALUE
                || mine.disturbedInside(world.now())) {
            return;
        }
        // A hundredth of the lease is between its end here and on the server.
        long margin = tracked.granted.grant.validity().toNanos() / 100;
        if (work.goesOn() || (work.stops() && work.stopsFor(world.now()) < margin)) {
            throw world.violated(
                    "work is interrupted before its lease is withdrawn, and has time to stop",
                    tracked.caller + " works under " + tracked.lease);
        }
    }

    /** A release has its outcome. */
    void released(TrackedLease tracked, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        SimulatedCaller caller = tracked.caller;
        if (thrown instanceof BackendException) {
            waits.unavailable(caller, thrown);
        }
        if (tracked.active()) {
            throw world.violated("a release ends it", caller + " released " + tracked.lease);
        }
        if (result == ReleaseResult.RELEASED) {
            wasHeld(tracked);
        } else if (result == ReleaseResult.LOST) {
            wasLost(tracked);
        } else if (result == ReleaseResult.ALREADY_RELEASED && !caller.client.givesBack) {
            throw world.violated(
                    "a release counts once", caller + " released " + tracked.lease + " in state " + before);
        }
        if (result == ReleaseResult.LOST || tracked.state() == LeaseState.LOST) {
            lost[caller.client.index][caller.name]++;
        }
    }

    private void wasHeld(TrackedLease tracked) {
        // The last of several local holders releases the grant, and may find it gone.
        boolean readsOrWrites = tracked.share.capacity() == Share.READ_WRITE;
        boolean asked = readsOrWrites || !(world.configuration.handOff() || world.configuration.keeps());
        boolean gone = answer(tracked) == Released.NOT_HELD;
        if ((asked && gone) || tracked.state() == LeaseState.LOST) {
            throw world.violated(
                    "a loss found by a release is told", tracked.caller + " released " + tracked.lease + ": RELEASED");
        }
    }

    private void wasLost(TrackedLease tracked) {
        if (answer(tracked) != Released.NOT_HELD && tracked.state() == LeaseState.RELEASED) {
            throw world.violated("only what is lost is LOST", tracked.caller + " released " + tracked.lease);
        }
        if (!tracked.caller.client.driver.knowsOfLoss(tracked.lease)) {
            throw world.violated(
                    "a loss found by a release is told",
                    tracked.caller + " released " + tracked.lease + " inside of call()");
        }
    }

    private @Nullable Released answer(TrackedLease tracked) {
        return found.get(tracked.granted.holder());
    }

    /** An observer is notified. */
    void notified(TrackedLease tracked, LeaseState state) {
        if (tracked.notified == LeaseState.LOST
                || tracked.notified == LeaseState.RELEASED
                || tracked.notified == state) {
            throw world.violated(
                    "observers hear each change once",
                    tracked.caller + " was told " + state + " of " + tracked.lease + " after " + tracked.notified);
        }
        tracked.notified = state;
    }

    /** A listener received the beginning of a lease before the end of the previous one. */
    Violation heardTooEarly(SimulatedClient client, LockEvent event) {
        return world.violated(
                "events come in order", "c" + client.index + " was told " + event + " before the end of another lease");
    }

    /** A listener that counts waits and leases has another number than there are. */
    Violation miscounted(SimulatedClient client, Object event) {
        return world.violated(
                "each wait and each lease begins and ends once for a listener",
                "c" + client.index + " counts " + client.waiting + " waits and " + client.active + " leases after "
                        + event);
    }

    /** At the end of a run, with all clients closed, there is no waiter and no lease. */
    public void counted(List<SimulatedClient> clients) {
        for (SimulatedClient client : clients) {
            if (client.waiting != 0 || client.active != 0) {
                throw miscounted(client, "the close");
            }
        }
    }

    /** At the end of a run, the listeners have received each loss. */
    public void lossesTold(List<SimulatedClient> clients) {
        for (int i = 0; i < lost.length; i++) {
            for (int name = 0; name < lost[i].length; name++) {
                int notified = 0;
                for (SimulatedClient client : clients) {
                    notified += client.index == i ? client.lossesHeard[name] : 0;
                }
                if (notified < lost[i][name]) {
                    throw world.violated(
                            "a loss is told",
                            "c" + i + " lost " + lost[i][name] + " leases of " + world.name(name)
                                    + " and its listener heard of " + notified);
                }
            }
        }
        leases.all().forEach(all -> all.forEach(this::observersHeard));
    }

    private void observersHeard(TrackedLease tracked) {
        LeaseState state = tracked.state();
        boolean ended = state == LeaseState.LOST || state == LeaseState.RELEASED;
        if (tracked.observed && ended && tracked.notified != state) {
            throw world.violated(
                    "observers hear of the end",
                    tracked.caller + " observes " + tracked.lease + " and was told " + tracked.notified + " last");
        }
    }
}
