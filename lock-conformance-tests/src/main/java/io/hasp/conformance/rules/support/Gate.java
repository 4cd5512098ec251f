package io.hasp.conformance.rules.support;

/**
 * Lets many in at once, or one alone. Who wants to be alone waits for all the others, also for those who come later: a lock that
 * serves in the order of arrival would let nobody in meanwhile. Thread-safe.
 *
 * <p>The first ones are few, and more are let in with each that leaves: many that begin at once in a JVM which has to load and compile
 * all their classes keep each other waiting for longer than a lease.
 */
final class Gate {
    private static final int FIRST_ONES = 4;
    private static final int MORE = 2;

    private int limit = FIRST_ONES;
    private int inside;
    private boolean alone;

    synchronized void enter() throws InterruptedException {
        while (alone || inside >= limit) {
            wait();
        }
        inside++;
    }

    synchronized void leave() {
        inside--;
        limit += MORE;
        notifyAll();
    }

    synchronized void enterAlone() throws InterruptedException {
        while (alone || inside > 0) {
            wait();
        }
        alone = true;
    }

    synchronized void leaveAlone() {
        alone = false;
        notifyAll();
    }
}
