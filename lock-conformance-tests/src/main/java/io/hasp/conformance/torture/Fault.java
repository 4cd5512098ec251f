package io.hasp.conformance.torture;

/** A way to break something while clients work, and to mend it. The ones there are: {@link TortureFaults}. */
public interface Fault {

    /**
     * What it breaks and how; unlike any other fault's name in the same torture.
     *
     * @return such as {@code "redis paused"}
     */
    String name();

    /**
     * Breaks it.
     *
     * @param clients the clients at work
     * @param choice a random number, for a fault that has a choice; drawn from the seed
     * @throws Exception if that can't be done; ends the torture
     */
    void inject(TortureClients clients, long choice) throws Exception;

    /**
     * Mends it. Without effect if nothing is broken.
     *
     * @param clients the clients at work
     * @throws Exception if that can't be done; ends the torture
     */
    void heal(TortureClients clients) throws Exception;

    /**
     * Whether others than its client may wait in vain while it lasts.
     *
     * @return false for the end of a client, which excuses only what that client left behind
     */
    default boolean outage() {
        return true;
    }

    /**
     * Whether waits count anew from its begin and its end, and go on counting while it lasts.
     *
     * @return true for a fault after which each client can reach the servers again at once, such as the loss of a connection
     */
    default boolean restartsWaits() {
        return false;
    }
}
