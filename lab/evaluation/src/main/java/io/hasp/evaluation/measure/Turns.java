package io.hasp.evaluation.measure;

/**
 * How two processes take turns with the same locks. One of them, the owner, takes one lock after the other. After some of its uses the
 * other process takes the same lock, while the owner waits: so a foreign use lies strictly between two of the owner, and no demand is
 * left to chance.
 *
 * @param demand the share of the owner's uses that are followed by a foreign one: above 0, at most 1
 * @param inARow how often a process takes the lock in its turn
 * @param ownerTimed whether the owner's cycles count, or only the first foreign one of each turn
 */
record Turns(double demand, int inARow, boolean ownerTimed) {}
