package io.hasp.redis.redlock;

/**
 * How many of the nodes decide.
 *
 * @param nodes how many there are
 * @param majority how many of them have to agree
 */
public record Quorum(int nodes, int majority) {

    public static Quorum of(int nodes) {
        return new Quorum(nodes, nodes / 2 + 1);
    }

    public boolean reached(int votes) {
        return votes >= majority;
    }

    /** Whether so many that say no, or nothing, leave no majority. */
    public boolean preventedBy(int others) {
        return nodes - others < majority;
    }
}
