package io.hasp.conformance.history;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/** A hold of a {@link RecordedUser}, with its log. As thread-safe as the wrapped hold. */
public final class RecordedHold implements Hold {
    private final Hold hold;
    private final AttemptLog log;

    RecordedHold(Hold hold, AttemptLog log) {
        this.hold = hold;
        this.log = log;
    }

    /**
     * Returns the log of this hold's events.
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

    /** {@inheritDoc} Records the result. */
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

    /**
     * Releases holds that were acquired together. Records all of them as released from the beginning.
     *
     * @param holds of {@link RecordedUser#recordedAll}
     * @throws Exception as the wrapped holds, the first one
     */
    public static void releaseTogether(List<RecordedHold> holds) throws Exception {
        for (RecordedHold one : holds) {
            one.believesHeld();
            one.log.releasing();
        }
        Exception failed = null;
        for (RecordedHold one : holds) {
            try {
                one.log.released(one.hold.release());
            } catch (Exception e) {
                one.log.releaseUnknown(e);
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public RecordedHold downgrade() throws Exception {
        return lowered(LockMode.READ, hold::downgrade);
    }

    /** {@inheritDoc} In the history, the remaining hold has no token of its own. */
    @Override
    public RecordedHold giveBack(int count) throws Exception {
        LockMode mode = log.mode();
        return lowered(LockMode.permits(mode.weight() - count, mode.capacity()), () -> hold.giveBack(count));
    }

    private RecordedHold lowered(LockMode less, Callable<Hold> call) throws Exception {
        believesHeld();
        log.releasing();
        AttemptLog next = log.lowering(less);
        Hold left;
        try {
            left = call.call();
        } catch (Exception | Error e) {
            next.unknown(e);
            log.releaseUnknown(e);
            throw e;
        }
        log.released(true);
        long token = left.token().orElse(0);
        if (token == hold.token().orElse(0)) {
            next.grantedRest(token);
        } else {
            next.granted(token);
        }
        return new RecordedHold(left, next);
    }
}
