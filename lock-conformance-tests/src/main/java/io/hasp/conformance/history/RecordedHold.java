package io.hasp.conformance.history;

import io.hasp.conformance.Hold;
import java.util.OptionalLong;

/** A lock that was taken by a {@link RecordedUser}, and its log. As thread-safe as the wrapped hold. */
public final class RecordedHold implements Hold {
    private final Hold hold;
    private final AttemptLog log;

    RecordedHold(Hold hold, AttemptLog log) {
        this.hold = hold;
        this.log = log;
    }

    /**
     * Where what happens under this hold is written down.
     *
     * @return the log of its acquisition
     */
    public AttemptLog log() {
        return log;
    }

    @Override
    public OptionalLong token() {
        return hold.token();
    }

    /** {@inheritDoc} What it says is written down. */
    @Override
    public boolean believesHeld() {
        long asked = System.nanoTime();
        boolean held = hold.believesHeld();
        log.believes(held, asked);
        return held;
    }

    @Override
    public boolean release() throws Exception {
        believesHeld();
        log.releasing();
        boolean held;
        try {
            held = hold.release();
        } catch (Exception | Error e) {
            log.releaseUnknown(e);
            throw e;
        }
        log.released(held);
        return held;
    }
}
