package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.SliceListener;
import java.time.Duration;
import java.util.Optional;

/**
 * A client with a companion that is closed with it.
 *
 * @param user the client
 * @param beside closed with the client
 * @param slices notified of slices
 */
record AccompaniedUser(LockUser user, AutoCloseable beside, SliceListener slices) implements LockUser, SliceListener {
    /** Opens the client; what is beside it ends if that fails. */
    static LockUser open(LockSubject subject, AutoCloseable beside, SliceListener slices) throws Exception {
        boolean opened = false;
        try {
            LockUser user = subject.open();
            opened = true;
            return new AccompaniedUser(user, beside, slices);
        } finally {
            if (!opened) {
                beside.close();
            }
        }
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
        return user.tryAcquire(lock, wait);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        return user.tryAcquire(lock, mode, wait);
    }

    @Override
    public void sliceBegins() {
        slices.sliceBegins();
    }

    @Override
    public void sliceEnds() {
        slices.sliceEnds();
    }

    @Override
    public void close() throws Exception {
        try {
            user.close();
        } finally {
            beside.close();
        }
    }
}
