package io.hasp.simulator;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;

/** Something on its way. */
sealed interface Message {
    /** Whose it is. */
    SimulatedBackend client();

    /** Whether the client waits for the message or for its reply. */
    default boolean isAwaited() {
        return false;
    }

    /** A request on its way to the server. */
    record Request(ClientRequest call) implements Message {
        @Override
        public SimulatedBackend client() {
            return call.client;
        }

        @Override
        public boolean isAwaited() {
            return !call.settled();
        }
    }

    /** An answer on its way to the client. */
    record Response(ClientRequest call, ClientRequest.Answer answer) implements Message {
        @Override
        public SimulatedBackend client() {
            return call.client;
        }

        @Override
        public boolean isAwaited() {
            return !call.settled();
        }
    }

    /** The server says that the session of the request had ended. */
    record Expired(ClientRequest call) implements Message {
        @Override
        public SimulatedBackend client() {
            return call.client;
        }
    }

    /** News about a holder. */
    record News(SimulatedBackend client, HolderId holder, Signal signal) implements Message {}

    /** News about a session. */
    record SessionOver(SimulatedBackend client, ServerSession session) implements Message {}
}
