package io.hasp.spring;

import io.hasp.LockListener;

/** A listener that tells the clients of {@code hasp.*} apart. Beans of type {@link LockListener} are told the events of all of them. */
@FunctionalInterface
public interface ListenerOfEach {

    /** That of one client, by the name of its bean. */
    public LockListener of(String client);
}
