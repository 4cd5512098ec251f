package io.hasp.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Whether a server may evict locks: throw them away to make room when its memory is full. Redis does so under every
 * {@code maxmemory-policy} but {@code noeviction}. A lock that is evicted while it is held is free for others; its holder is told
 * at the next renewal, and tokens keep growing by the server's clock.
 */
public enum Eviction {
    /** A server with another policy than {@code noeviction} is refused at connect. One that hides its policy is logged. */
    REFUSED,
    /** A server with any policy will do. */
    ACCEPTED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a word in a URI; {@link IllegalArgumentException} if there is no such. */
    static Eviction of(String word) {
        List<String> known =
                Arrays.stream(values()).map(Eviction::word).sorted().toList();
        if (!known.contains(word)) {
            throw new IllegalArgumentException("eviction is '" + word + "': known are " + known);
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
