package io.hasp.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The way in which a waiting client learns of its turn. Unless one is chosen, a client finds out at connect: by messages, or by polls where
 * the server refuses messages.
 */
public enum Notification {
    /** The server wakes waiters by messages. A server that refuses {@code PUBLISH}, {@code PUBSUB} or {@code SUBSCRIBE} is refused. */
    MESSAGES,
    /**
     * Each waiter asks every half second. The client publishes nothing, subscribes to nothing, and can't {@linkplain
     * io.hasp.ClientOptions#keep keep} locks.
     */
    POLL;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a word in a URI; {@link IllegalArgumentException} if there is no such. */
    static Notification of(String word) {
        List<String> known =
                Arrays.stream(values()).map(Notification::word).sorted().toList();
        if (!known.contains(word)) {
            throw new IllegalArgumentException("notify is '" + word + "': known are " + known);
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
