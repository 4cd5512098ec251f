package io.hasp.zookeeper;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The checks that the configuration records share. */
final class ConfigChecks {
    private static final Duration LONGEST = Duration.ofHours(1);

    private ConfigChecks() {}

    static void positive(String name, @Nullable Duration value) {
        if (value == null || value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be from 1 ms to 1 h");
        }
    }
}
