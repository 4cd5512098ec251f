package io.hasp.simulator;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;

/** Something on its way. */
sealed interface Message {
    /** Whose it is. */
    SimulatedBackend client();

    /** Whether the client waits for what it brings about. */
    default boolean isAwaited() {
        return false;
    }

    /** A request on its way to the server. */
    record Request(Call call) implements Message {
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
    record Response(Call call, Call.Answer answer) implements Message {
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
    record Expired(Call call) implements Message {
        @Override
        public SimulatedBackend client() {
            return call.client;
        }
    }

    /** News about a holder. */
    record News(SimulatedBackend client, HolderId holder, Signal signal) implements Message {}

    /** News about a session. */
    record SessionOver(SimulatedBackend client, ReferenceServer.Session session) implements Message {}
}
