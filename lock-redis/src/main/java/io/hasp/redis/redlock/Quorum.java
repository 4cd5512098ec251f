package io.hasp.redis.redlock;

/**
 * The number of nodes that decide.
 *
 * @param nodes the number of nodes
 * @param majority the number of nodes that have to agree
 */
public record Quorum(int nodes, int majority) {

    public static Quorum of(int nodes) {
        return new Quorum(nodes, nodes / 2 + 1);
    }

    public boolean reached(int votes) {
        return votes >= majority;
    }

    /** True if so many refusals and missing replies leave no majority. */
    public boolean preventedBy(int others) {
        return nodes - others < majority;
    }
}
