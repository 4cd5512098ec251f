package io.hasp.conformance.rules.support;

/**
 * Admits many at once, or one alone. A caller that wants to be alone waits for all the others, including later
 * arrivals: a lock that serves in the order of arrival would admit no other caller during that wait. Thread-safe.
 *
 * <p>At first few are admitted, and more with each that leaves. Many that begin at once in a JVM that still has to load
 * and compile all its classes would delay each other for longer than a lease.
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
