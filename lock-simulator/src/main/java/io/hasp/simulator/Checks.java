package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold at every moment, checked where it can break: when a lease is given, looked at or given back. */
final class Checks {
    /** As the engine makes them: room for the local holders of one grant. */
    private static final long TOKENS_PER_GRANT = 256;

    private static final long SLACK = Duration.ofMillis(50).toNanos();
    private static final long OLDEST_EVIDENCE =
            Configuration.POLL.plus(Configuration.COMMAND_TIMEOUT).toNanos();
    private static final long NEVER = Long.MIN_VALUE;

    private final World world;
    /** Who may hold a name, by what was seen last. */
    private final List<List<Belief>> believing = new ArrayList<>();

    private final long[] lastToken;
    /** By client and name: when the server refused it, and when it was known to hold it itself. */
    private final long[][] refusedAt;

    private final long[][] heldAt;
    private final int[][] lost;
    private final long[] floor;
    private final long[] floorSince;
    private final int[] floorBy;
    private int forgotten;
    private final List<HolderId> deniedNow = new ArrayList<>();
    private final Set<HolderId> denied = new HashSet<>();
    private final Map<HolderId, Released> found = new HashMap<>();

    Checks(World world, Configuration configuration) {
        this.world = world;
        int names = configuration.names();
        lastToken = new long[names];
        floor = new long[names];
        floorSince = new long[names];
        floorBy = new int[names];
        refusedAt = never(configuration.clients(), names);
        heldAt = never(configuration.clients(), names);
        lost = new int[configuration.clients() + 1][names];
        for (int i = 0; i < names; i++) {
            believing.add(new ArrayList<>());
        }
    }

    private static long[][] never(int clients, int names) {
        long[][] all = new long[clients + 1][names];
        for (long[] one : all) {
            Arrays.fill(one, NEVER);
        }
        return all;
    }

    /** The client heard an answer to a request for a lock. */
    void answered(int client, Claim claim, Attempt attempt) {
        int name = SimulatedClient.nameOf(claim.name().value());
        if (attempt instanceof Attempt.Busy) {
            refusedAt[client][name] = world.now();
        } else if (attempt instanceof Attempt.Granted) {
            heldAt[client][name] = world.now();
        }
    }

    void held(int client, int name) {
        heldAt[client][name] = world.now();
    }

    /** The holder asks: what was said of it before counts no more. */
    void asks(HolderId holder) {
        if (!denied.isEmpty()) {
            denied.remove(holder);
        }
    }

    /** The client was told for good that the holder does not have the lock. */
    void denied(HolderId holder) {
        denied.add(holder);
        deniedNow.add(holder);
    }

    /** After a step: whoever heard of a loss believes no more. */
    void afterStep() {
        if (!deniedNow.isEmpty()) {
            deniedNow.forEach(this::mustNotBelieve);
            deniedNow.clear();
        }
    }

    private void mustNotBelieve(HolderId holder) {
        for (List<Belief> all : believing) {
            for (Belief belief : all) {
                if (belief.granted.grant.claim().holder().equals(holder)) {
                    look(belief);
                }
            }
        }
    }

    /** The client heard what a release found. */
    void released(HolderId holder, Released what) {
        found.merge(holder, what, (one, other) -> one == Released.RELEASED ? one : other);
    }

    /** The client heard that a release found nothing; that of a lease lets others of it begin to ask. */
    void foundNothing(int client, HolderId holder) {
        for (SimulatedClient each : world.clients) {
            if (each.index == client && each.callers.stream().anyMatch(caller -> caller.has(holder))) {
                asksAnew(client);
                return;
            }
        }
    }

    /** A caller has a lease. */
    Belief given(Caller caller, Lease lease) {
        ReferenceServer.Granted granted = world.server.granted(lease.fencingToken() / TOKENS_PER_GRANT);
        if (granted == null) {
            throw world.violated("a lease was granted", caller + " was given " + lease + ", which no server granted");
        }
        Belief belief = new Belief(caller, lease, granted);
        List<Belief> all = believing.get(caller.name);
        if (belief.active()) {
            if (caller.client.closing) {
                throw world.violated("a client that closes holds nothing", caller + " was given " + lease);
            }
            for (int i = all.size() - 1; i >= 0; i--) {
                Belief other = all.get(i);
                if (!other.active()) {
                    all.remove(i);
                } else if (!other.granted.revoked && !granted.revoked) {
                    throw world.violated(
                            "one holder",
                            caller + " was given " + lease + " while " + other.caller + " has " + other.lease);
                }
            }
            tokenGrows(belief);
        }
        all.add(belief);
        look(belief);
        return belief;
    }

    /** The client has begun to close. */
    void closing(SimulatedClient client) {
        for (List<Belief> all : believing) {
            for (Belief belief : all) {
                if (belief.caller.client == client && belief.active()) {
                    throw world.violated("a client that closes holds nothing", belief.caller + " has " + belief.lease);
                }
            }
        }
    }

    private void tokenGrows(Belief belief) {
        int name = belief.caller.name;
        if (belief.token <= lastToken[name] && !belief.granted.revoked) {
            throw world.violated(
                    "tokens grow", belief.caller + " was given " + belief.lease + " after token " + lastToken[name]);
        }
        // Another client passes a lease on without asking the server, which alone knows the floor.
        boolean passedOn = belief.token % TOKENS_PER_GRANT != 0 && floorBy[name] != belief.caller.client.index;
        if (!passedOn && belief.token <= floor[name] && belief.caller.joinedAtStep > floorSince[name]) {
            throw world.violated(
                    "tokens are above the floor",
                    belief.caller + " was given " + belief.lease + ", and the floor is " + floor[name]);
        }
        lastToken[name] = Math.max(lastToken[name], belief.token);
    }

    /** A floor that is some grants above the last token. */
    long floorAbove(int name, int grants) {
        return Math.max(lastToken[name], floor[name]) + grants * TOKENS_PER_GRANT;
    }

    /** How often the server forgot everything. */
    int memory() {
        return forgotten;
    }

    /** A server that forgot everything since the request was made may have forgotten the floor as well. */
    void floorRaised(int client, int name, long token, int memoryBefore) {
        if (memoryBefore != forgotten) {
            return;
        }
        if (token > floor[name]) {
            floorBy[name] = client;
            floor[name] = token;
        }
        floorSince[name] = world.steps;
    }

    void floorsForgotten() {
        forgotten++;
        Arrays.fill(floor, 0);
    }

    /** What a client believes, the server keeps, until the client's own deadline at least. */
    void look(Belief belief) {
        if (!denied.isEmpty() && denied.contains(belief.granted.grant.claim().holder()) && belief.active()) {
            throw world.violated(
                    "news is not dropped",
                    belief.caller + " believes in " + belief.lease + ", and its client was told that it is gone");
        }
        if (belief.active() && !belief.granted.revoked) {
            long deadline = world.now() + belief.lease.remaining().toNanos();
            long end = world.server.end(belief.granted);
            if (deadline > end) {
                throw world.violated(
                        "belief ends first",
                        belief.caller + " believes in " + belief.lease
                                + (end == NEVER
                                        ? ", which the server has ended"
                                        : " for " + (deadline - end) + " ns longer than the server keeps it"));
            }
        }
    }

    /** A caller that does not wait may find the lock with another of its client, which may lose it at this very moment. */
    void joins(Caller caller) {
        if (caller.wait.isZero() && heldByClient(caller)) {
            held(caller.client.index, caller.name);
        }
    }

    private boolean heldByClient(Caller caller) {
        for (Belief belief : believing.get(caller.name)) {
            if (belief.caller.client == caller.client && belief.active()) {
                return true;
            }
        }
        return false;
    }

    /** A caller was told that others hold the lock. */
    void empty(Caller caller) {
        int client = caller.client.index;
        long evidence = Math.max(refusedAt[client][caller.name], heldAt[client][caller.name]);
        boolean held = heldByClient(caller);
        // Who stands behind another caller goes by what that one learned last, at most a poll and an attempt before.
        long old = caller.wait.isZero() ? 0 : OLDEST_EVIDENCE;
        if (!held && !caller.disturbed && evidence < caller.joinedAt - old) {
            throw world.violated(
                    "empty means contended",
                    caller + " was told that others hold " + world.name(caller.name) + ", and no answer says so");
        }
    }

    /** The server has confirmed a fixed lease for longer. */
    void extended(Belief belief, Duration asked) {
        Duration least = asked.minusMillis(32);
        if (belief.active() && belief.lease.remaining().compareTo(least) < 0) {
            throw world.violated(
                    "an extension lasts", belief.caller + " has " + belief.lease.remaining() + " of " + asked);
        }
    }

    /** A lease can't be confirmed. */
    void doubted(SimulatedClient client, String lock) {
        // A grant that was not renewed, since its holder's max hold came first, may be passed on with little time left.
        if (!world.network.failing && !world.configuration.handOff() && !client.disturbed(world.now())) {
            throw world.violated(
                    "doubt has a reason", "c" + client.index + " doubts " + lock + ", and every request was answered");
        }
    }

    /** A wait for the lock failed: an outage is waited out for as long as the caller and the client wait. */
    void failed(Caller caller, BackendUnavailableException why) {
        unavailable(caller, why);
        long least = Math.min(caller.wait.toNanos(), Configuration.UNAVAILABLE_AFTER.toNanos());
        boolean outage = why.kind() == BackendUnavailableException.Kind.UNAVAILABLE && !caller.client.ranOutOfMemory;
        if (outage && world.now() - caller.joinedAt < least) {
            throw world.violated("an outage is waited out", caller + " failed early: " + why);
        }
    }

    /** A listener heard of a lease whose predecessor has not ended for it. */
    Violation heardTooEarly(SimulatedClient client, LockEvent event) {
        return world.violated(
                "news comes in order", "c" + client.index + " was told " + event + " before the end of another lease");
    }

    /** A client heard that a holder of its can't be confirmed. */
    void suspected(HolderId holder) {
        for (List<Belief> all : believing) {
            for (Belief belief : all) {
                if (belief.granted.grant.claim().holder().equals(holder) && belief.lease.state() == LeaseState.HELD) {
                    throw world.violated("news is not dropped", belief.caller + " does not doubt " + belief.lease);
                }
            }
        }
    }

    /** A call failed as if the service did not answer. */
    void unavailable(Object who, Throwable why) {
        if (!world.network.failing) {
            throw world.violated("only an outage is one", who + " failed, and every request was answered: " + why);
        }
    }

    /** The client heard that a holder of its lost a lock, or can't get one any more: it asks under another id. */
    void asksAnew(int client) {
        for (SimulatedClient each : world.clients) {
            if (each.index == client) {
                each.callers.forEach(caller -> caller.left++);
            }
        }
    }

    /** A wait that nothing disturbed ends in time. */
    void inTime(Caller caller) {
        long took = world.now() - caller.joinedAt;
        int flights = world.configuration.oneFlight() ? 1 : 2;
        // One that never asked, and becomes the first because others gave up or failed, asks when they have left; one
        // whose grant is lost before it is answered, or whose id is gone, asks again.
        flights *= 1 + caller.left;
        long most = caller.wait.toNanos() + flights * Configuration.COMMAND_TIMEOUT.toNanos() + SLACK;
        if (!caller.disturbed && caller.wait.toDays() < 365 && took > most) {
            throw world.violated(
                    "waits end in time", caller + " waited " + Duration.ofNanos(took) + " of " + caller.wait);
        }
    }

    void released(Belief belief, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        Caller caller = belief.caller;
        if (thrown instanceof BackendUnavailableException) {
            unavailable(caller, thrown);
        }
        if (belief.active()) {
            throw world.violated("a release ends it", caller + " released " + belief.lease);
        }
        Released answer = found.get(belief.granted.grant.claim().holder());
        // A grant that was passed on is released by another, which may find it gone.
        boolean asked = !world.configuration.handOff();
        if (asked && result == ReleaseResult.RELEASED && answer == Released.NOT_HELD) {
            throw world.violated(
                    "a loss found by a release is told", caller + " released " + belief.lease + ": " + result);
        }
        if (result == ReleaseResult.RELEASED && belief.lease.state() == LeaseState.LOST) {
            throw world.violated("a loss found by a release is told", caller + " released " + belief.lease);
        }
        if (result == ReleaseResult.LOST
                && answer != Released.NOT_HELD
                && belief.lease.state() == LeaseState.RELEASED) {
            throw world.violated("only what is lost is LOST", caller + " released " + belief.lease);
        }
        if (result == ReleaseResult.ALREADY_RELEASED && !caller.client.closing) {
            throw world.violated("a release counts once", caller + " released " + belief.lease + " in state " + before);
        }
        if (result == ReleaseResult.LOST && !caller.client.driver.knowsOfLoss(belief.lease)) {
            throw world.violated(
                    "a loss found by a release is told", caller + " released " + belief.lease + " inside of call()");
        }
        if (result == ReleaseResult.LOST || belief.lease.state() == LeaseState.LOST) {
            belief.lost = true;
            lost[caller.client.index][caller.name]++;
        }
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
        for (List<Belief> all : believing) {
            for (Belief belief : all) {
                LeaseState state = belief.lease.state();
                boolean ended = state == LeaseState.LOST || state == LeaseState.RELEASED;
                if (belief.observed && ended && belief.told != state) {
                    throw world.violated(
                            "observers hear of the end",
                            belief.caller + " observes " + belief.lease + " and was told " + belief.told + " last");
                }
            }
        }
    }

    /** Whether a caller has the lock, so that others wait for a reason. */
    boolean somebodyHolds(int name) {
        for (Belief belief : believing.get(name)) {
            if (belief.caller.belief == belief && belief.active()) {
                return true;
            }
        }
        return false;
    }
}
