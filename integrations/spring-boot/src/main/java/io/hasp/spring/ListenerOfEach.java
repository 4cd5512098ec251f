package io.hasp.spring;

import io.hasp.LockListener;

/**
 * A listener that distinguishes the clients of {@code hasp.*}. A bean of type {@link LockListener} receives the events
 * of all clients.
 */
@FunctionalInterface
public interface ListenerOfEach {

    /** Returns the listener of one client, by the name of its bean. */
    public LockListener of(String client);
}
