package io.hasp.conformance.torture;

/** A fault that can be injected while clients work, and healed. {@link TortureFaults} has all of them. */
public interface Fault {

    /**
     * Returns the fault's name, unique within a torture.
     *
     * @return such as {@code "redis paused"}
     */
    String name();

    /**
     * Injects the fault.
     *
     * @param clients the clients at work
     * @param choice a random number, for a fault that has a choice; drawn from the seed
     * @throws Exception if that can't be done; ends the torture
     */
    void inject(TortureClients clients, long choice) throws Exception;

    /**
     * Heals the fault. Without effect if it is not active.
     *
     * @param clients the clients at work
     * @throws Exception if that can't be done; ends the torture
     */
    void heal(TortureClients clients) throws Exception;

    /**
     * Returns true if clients other than the faulty one may wait in vain during the fault.
     *
     * @return false for the end of a client, which excuses only the remains of that client
     */
    default boolean outage() {
        return true;
    }

    /**
     * Returns true if waits restart at the fault's begin and at its end, and continue to count during it.
     *
     * @return true for a fault after which each client can reach the servers again at once, such as the loss of a
     *     connection
     */
    default boolean restartsWaits() {
        return false;
    }
}
