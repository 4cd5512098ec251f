package io.hasp.simulator.network;

import io.hasp.simulator.server.ServerSession;
import io.hasp.simulator.world.EventTrace;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;

/** A message that is on its way between a client and the server. */
sealed interface Message {
    /** The client that sent it or that receives it. */
    SimulatedBackend client();

    /** True if the client waits for the message or for its reply. */
    default boolean isAwaited() {
        return false;
    }

    /** The text of the message in the trace. */
    String describe(EventTrace trace);

    /** A hash of the kind of the message, without holders and moments. */
    default long state() {
        return client().index() * 8L + 2;
    }

    /** A request on its way to the server. */
    record Request(ClientRequest request) implements Message {
        @Override
        public SimulatedBackend client() {
            return request.client;
        }

        @Override
        public boolean isAwaited() {
            return !request.settled();
        }

        @Override
        public String describe(EventTrace trace) {
            return "request " + request;
        }

        @Override
        public long state() {
            return (client().index() * 8L + 1) * 64 + request.kind.name().hashCode();
        }
    }

    /** A reply on its way to the client. */
    record Response(ClientRequest request, ClientRequest.Reply reply) implements Message {
        @Override
        public SimulatedBackend client() {
            return request.client;
        }

        @Override
        public boolean isAwaited() {
            return !request.settled();
        }

        @Override
        public String describe(EventTrace trace) {
            return (request.settled() ? "(too late) " : "") + request + " answered: " + reply.text();
        }

        @Override
        public long state() {
            return Message.super.state() * 64 + 8 + request.kind.name().hashCode() + (request.settled() ? 16 : 0);
        }
    }

    /** The server rejects a request because its session has expired. */
    record Rejection(ClientRequest request) implements Message {
        @Override
        public SimulatedBackend client() {
            return request.client;
        }

        @Override
        public String describe(EventTrace trace) {
            return "the session is over";
        }
    }

    /** The server notifies a client of an expired session without a request. */
    record SessionExpired(SimulatedBackend client, ServerSession session) implements Message {
        @Override
        public String describe(EventTrace trace) {
            return "the session is over";
        }
    }

    /** The server recalls a lock that the client may keep, because another client wants it. */
    record Recall(SimulatedBackend client, LockName name, HolderId holder) implements Message {
        @Override
        public String describe(EventTrace trace) {
            return "recall of " + trace.holder(holder);
        }

        @Override
        public long state() {
            return Message.super.state() * 64 + 41;
        }
    }

    /** A reply that the client's backend delivers a second time. */
    record Repetition(SimulatedBackend client, Runnable answer) implements Message {
        @Override
        public String describe(EventTrace trace) {
            return "the same answer again";
        }

        @Override
        public long state() {
            return Message.super.state() * 64 + 42;
        }
    }

    /** The server sends a signal about a holder. */
    record Notification(SimulatedBackend client, HolderId holder, Signal signal) implements Message {
        @Override
        public String describe(EventTrace trace) {
            return signal + " for " + trace.holder(holder);
        }

        @Override
        public long state() {
            return Message.super.state() * 64 + 40 + signal.name().hashCode();
        }
    }
}
