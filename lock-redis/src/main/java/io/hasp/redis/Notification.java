package io.hasp.redis;

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
    POLL
}
