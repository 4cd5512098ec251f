package io.hasp.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** The present faults of the service, for the client under test. Thread-safe. */
final class Faults {
    private final AtomicBoolean available = new AtomicBoolean(true);
    private volatile Duration delay = Duration.ZERO;

    boolean available() {
        return available.get();
    }

    /** Returns true if that is a change. */
    boolean setAvailable(boolean answers) {
        return available.getAndSet(answers) != answers;
    }

    Duration delay() {
        return delay;
    }

    void setDelay(Duration each) {
        delay = each;
    }
}
