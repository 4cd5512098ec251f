package io.hasp.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Accepts or refuses a server that may evict locks, which means that it deletes them when its memory is full. Redis evicts under every
 * {@code maxmemory-policy} but {@code noeviction}. A lock that is evicted while it is held is free for others. Its holder is notified at
 * the next renewal, and tokens keep growing by the server's clock.
 */
public enum Eviction {
    /** A server with another policy than {@code noeviction} is refused at connect. A server that hides its policy is logged. */
    REFUSED,
    /** A server with any policy is accepted. */
    ACCEPTED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the value of a word in a URI; throws {@link IllegalArgumentException} for an unknown word. */
    static Eviction of(String word) {
        List<String> known =
                Arrays.stream(values()).map(Eviction::word).sorted().toList();
        if (!known.contains(word)) {
            throw new IllegalArgumentException("eviction is '" + word + "': known are " + known);
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
