package io.hasp.simulator;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockName;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One request of a client, until it is answered or its command timeout is over; a later answer is dropped. */
final class ClientRequest {
    final SimulatedBackend client;
    final ServerSession session;
    final Kind kind;
    final LockName name;
    final long sentAt;
    /** Does it on the server; gives what brings the answer to the client. */
    private final Function<ReferenceServer, Answer> service;

    private final Consumer<BackendFailure> failure;
    private boolean settled;
    private boolean served;

    /** What a request asks. */
    enum Kind {
        ACQUIRE,
        TRANSFER,
        RENEW,
        RELEASE,
        FLOOR,
        CLOSE
    }

    /** An answer on its way. */
    record Answer(String words, Runnable arrives) {}

    ClientRequest(
            SimulatedBackend client,
            Kind kind,
            LockName name,
            long sentAt,
            Function<ReferenceServer, Answer> service,
            Consumer<BackendFailure> failure) {
        this.client = client;
        this.session = client.session();
        this.kind = kind;
        this.name = name;
        this.sentAt = sentAt;
        this.service = service;
        this.failure = failure;
    }

    /** The answer of the server; null if the session is over. */
    @Nullable
    Answer serve(ReferenceServer server) {
        served = true;
        return server.hears(session) ? service.apply(server) : null;
    }

    /** Whether it has had its effect. */
    boolean served() {
        return served;
    }

    boolean settled() {
        return settled;
    }

    void answer(Answer answer) {
        if (!settled) {
            settled = true;
            answer.arrives().run();
        }
    }

    /** The answer is a refusal; to be run by {@link #answer}. */
    void refused(BackendFailure why) {
        client.failing();
        failure.accept(why);
    }

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
