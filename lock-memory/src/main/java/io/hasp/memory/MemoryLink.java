package io.hasp.memory;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import java.util.Optional;

/**
 * The connection of one client to a {@link MemoryServer}, with faults on request. A request that gets no answer fails
 * after the command timeout of 100 ms with an unknown outcome, as on a real network. Thread-safe.
 */
public final class MemoryLink implements BackendSource {
    enum State {
        WHOLE,
        REQUESTS_LOST,
        REPLIES_LOST
    }

    private final MemoryServer server;
    private volatile State state = State.WHOLE;
    private volatile boolean signalsLost;

    MemoryLink(MemoryServer server) {
        this.server = server;
    }

    @Override
    public LockBackend open(BackendContext context) {
        return new MemoryBackend(server, this, context);
    }

    @Override
    public Optional<BackendDeclaration> declaration() {
        return Optional.of(MemoryBackend.DECLARATION);
    }

    /** Drops requests from now on, before they reach the server. */
    public void partition() {
        state = State.REQUESTS_LOST;
    }

    /** Drops answers from now on; requests reach the server and are applied. */
    public void loseReplies() {
        state = State.REPLIES_LOST;
    }

    /** Drops the signals that wake waiters from now on; waiters have to poll. */
    public void loseSignals() {
        signalsLost = true;
    }

    /** Ends all faults of this link. */
    public void heal() {
        state = State.WHOLE;
        signalsLost = false;
    }

    boolean passesSignals() {
        return state == State.WHOLE && !signalsLost;
    }

    State state() {
        return state;
    }
}
