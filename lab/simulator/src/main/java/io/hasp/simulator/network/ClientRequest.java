package io.hasp.simulator.network;

import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.server.ServerSession;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockName;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One request of a client. It is pending until its reply or its command timeout; a later reply is dropped. */
final class ClientRequest {
    final SimulatedBackend client;
    final ServerSession session;
    final Kind kind;
    final LockName name;
    final long sentAt;
    /** Has its effect on the server, and makes the reply. */
    private final Function<ReferenceServer, Reply> operation;

    private final Consumer<BackendFailure> failure;
    private boolean settled;
    private boolean served;

    /** The kind of a request. */
    enum Kind {
        ACQUIRE,
        TRANSFER,
        RENEW,
        RELEASE,
        FLOOR,
        CLOSE
    }

    /**
     * The text of the reply in the trace, and the client's action when it arrives.
     *
     * @param isFinal true if nothing of the request is left, so that the client withdraws nothing
     * @param isRefusal true if others have the lock, and the client has no place in the queue
     */
    record Reply(String text, boolean isFinal, boolean isRefusal, Runnable delivery) {
        Reply(String text, Runnable delivery) {
            this(text, false, false, delivery);
        }
    }

    ClientRequest(
            SimulatedBackend client,
            Kind kind,
            LockName name,
            long sentAt,
            Function<ReferenceServer, Reply> operation,
            Consumer<BackendFailure> failure) {
        this.client = client;
        this.session = client.session();
        this.kind = kind;
        this.name = name;
        this.sentAt = sentAt;
        this.operation = operation;
        this.failure = failure;
    }

    /** The reply of the server; null if the session has expired. */
    @Nullable
    Reply serve(ReferenceServer server) {
        served = true;
        return server.hears(session) ? operation.apply(server) : null;
    }

    /** True if the server has taken the request at least once. */
    boolean served() {
        return served;
    }

    /** True if the client has its reply, or a failure instead of it. */
    boolean settled() {
        return settled;
    }

    /** The client receives the reply, unless the request is settled. */
    void answer(Reply reply) {
        if (!settled) {
            settled = true;
            reply.delivery().run();
        }
    }

    /** Reports a failure to the client; for a reply that is a refusal. */
    void refused(BackendFailure why) {
        client.failuresExpected();
        failure.accept(why);
    }

    /** The request fails, unless it is settled. */
    void fail(BackendFailure why) {
        if (!settled) {
            settled = true;
            refused(why);
        }
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
