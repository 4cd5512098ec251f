package io.hasp.simulator.checks;

import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks that fencing tokens grow, and that they are above each floor that was raised before. */
public final class TokenChecks {
    /** The number of tokens that the engine makes of one grant: one for each local holder. */
    static final long PER_GRANT = 256;

    private final World world;
    private final long[] last;
    /** By name: the last token of each weight. */
    private final List<Map<Integer, Long>> lastOf = new ArrayList<>();

    private final long[] floor;
    private final long[] floorSince;
    private final long[] floorAt;
    private final int[] floorBy;
    private int forgotten;

    TokenChecks(World world) {
        int names = world.configuration.names();
        this.world = world;
        last = new long[names];
        for (int i = 0; i < names; i++) {
            lastOf.add(new TreeMap<>());
        }
        floor = new long[names];
        floorSince = new long[names];
        floorAt = new long[names];
        floorBy = new int[names];
    }

    /** A caller was given a lease that has not ended: its token is above that of each lease beside which it could not be. */
    void grows(TrackedLease tracked) {
        int name = tracked.caller.name;
        lastOf.get(name).forEach((weight, token) -> {
            boolean conflicts = weight > tracked.share.capacity() - tracked.share.weight();
            if (conflicts && tracked.token <= token && !tracked.granted.revoked) {
                throw world.violated(
                        "tokens grow", tracked.caller + " was given " + tracked.lease + " after token " + token);
            }
        });
        // Another client hands its grant, or a place that has been granted, on without asking, and only the server
        // has the floor.
        boolean passedOn = floorBy[name] != tracked.caller.client.index
                && (tracked.token % PER_GRANT != 0 || tracked.granted.grantedAt <= floorAt[name]);
        if (!passedOn && tracked.token <= floor[name] && tracked.caller.joinedAtStep > floorSince[name]) {
            throw world.violated(
                    "tokens are above the floor",
                    tracked.caller + " was given " + tracked.lease + ", and the floor is " + floor[name]);
        }
        noted(tracked);
    }

    /** A lease has begun. */
    void noted(TrackedLease tracked) {
        int name = tracked.caller.name;
        last[name] = Math.max(last[name], tracked.token);
        lastOf.get(name).merge(tracked.share.weight(), tracked.token, Math::max);
    }

    /** A floor that is that many grants above the last token. */
    long floorAbove(int name, int grants) {
        return Math.max(last[name], floor[name]) + grants * PER_GRANT;
    }

    /** The number of times that the server forgot everything. */
    int memory() {
        return forgotten;
    }

    /** A floor was raised. A server that has forgotten everything since the request may have forgotten the floor as well. */
    void floorRaised(int client, int name, long token, int memoryBefore) {
        if (memoryBefore != forgotten) {
            return;
        }
        if (token > floor[name]) {
            floorBy[name] = client;
            floor[name] = token;
        }
        floorSince[name] = world.steps();
        floorAt[name] = world.now();
    }

    public void floorsForgotten() {
        forgotten++;
        Arrays.fill(floor, 0);
    }
}
