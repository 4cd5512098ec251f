package io.hasp.evaluation.measure;

/**
 * The alternation of two processes on the same locks. The first process, the owner, takes one lock after the other.
 * After some of its uses the other process takes the same lock, while the owner waits. So a foreign use always lies
 * between two uses of the owner, and no demand is left to chance.
 *
 * @param demand the share of the owner's uses that are followed by a foreign one: above 0, at most 1
 * @param inARow the number of times that a process takes the lock in its turn
 * @param ownerTimed true if the owner's cycles count, false if only the first foreign one of each turn does
 */
record Turns(double demand, int inARow, boolean ownerTimed) {}
