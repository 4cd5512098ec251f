package io.hasp.engine.driver;

import java.util.concurrent.Executor;

/**
 * Hands the rest of a loop over to an executor. One that runs it on the spot would nest the loop in itself, deeper each time: the loop
 * goes on where it is then.
 */
public final class Relay implements Runnable {
    private final Runnable rest;
    private final Thread from = Thread.currentThread();
    /** Used only by the thread {@link #from}, as is the next field. */
    private boolean handedOver;

    private boolean onTheSpot;

    private Relay(Runnable rest) {
        this.rest = rest;
    }

    /** Returns false if the executor does not run the rest: the calling thread has to. */
    public static boolean passesOn(Executor executor, Runnable rest) {
        Relay relay = null;
        try {
            relay = new Relay(rest);
            executor.execute(relay);
        } catch (Throwable refused) {
            return false;
        }
        relay.handedOver = true;
        return !relay.onTheSpot;
    }

    @Override
    public void run() {
        if (Thread.currentThread() == from && !handedOver) {
            onTheSpot = true;
        } else {
            rest.run();
        }
    }
}
