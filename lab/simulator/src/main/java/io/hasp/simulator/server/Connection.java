package io.hasp.simulator.server;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;

/** The server's end of the connection to one client. */
public interface Connection {
    int index();

    /** Another client wants a lock that this one may keep. False if the client is not reached, which costs the other one a poll. */
    boolean recalled(LockName name, HolderId holder);

    /** Sends a signal about a holder. */
    void signalled(HolderId holder, Signal signal);

    /** The server has ended a session, and sends word of it. */
    void expired(ServerSession ended);
}
