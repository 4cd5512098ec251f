package io.hasp.redis.cluster;

import io.hasp.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's view of its cluster.
 *
 * @param epoch the number of the newest change that the node knows; it grows with each failover and each move of a slot
 * @param ranges the slots of each master
 */
record Topology(long epoch, List<Range> ranges) {
    /** Asks for it, through the same call as everything else, so that it is the same with each client library. */
    static final LuaScript QUESTION = LuaScript.load("cluster/topology.lua");

    /** Slots of one master. */
    record Range(int first, int last, Address master) {}

    /** Reads the reply of a node. */
    static Topology parse(String reply, Address answering) {
        String[] lines = reply.split("\n");
        List<Range> ranges = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split(" ", -1);
            ranges.add(new Range(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    Address.of(fields[3], Integer.parseInt(fields[2]), answering)));
        }
        return new Topology(Long.parseLong(lines[0]), ranges);
    }
}
