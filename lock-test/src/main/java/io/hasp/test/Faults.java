package io.hasp.test;

import java.time.Duration;

/** The present faults of the service, for the client under test. Thread-safe. */
final class Faults {
    private volatile boolean available = true;
    private volatile Duration delay = Duration.ZERO;

    boolean available() {
        return available;
    }

    void setAvailable(boolean answers) {
        available = answers;
    }

    Duration delay() {
        return delay;
    }

    void setDelay(Duration each) {
        delay = each;
    }
}
