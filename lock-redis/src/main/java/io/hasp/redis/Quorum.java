package io.hasp.redis;

/**
 * How many of the nodes decide.
 *
 * @param nodes how many there are
 * @param majority how many of them have to agree
 */
record Quorum(int nodes, int majority) {

    static Quorum of(int nodes) {
        return new Quorum(nodes, nodes / 2 + 1);
    }

    boolean reached(int votes) {
        return votes >= majority;
    }

    /** Whether so many that say no, or nothing, leave no majority. */
    boolean preventedBy(int others) {
        return nodes - others < majority;
    }
}
