package io.hasp.redis;

/**
 * Sets the way in which a waiting client is notified of its turn. Without a choice, the client uses messages, or polls if the server
 * refuses messages at connect.
 */
public enum Notification {
    /** The server wakes waiters by messages. A server that refuses {@code PUBLISH}, {@code PUBSUB} or {@code SUBSCRIBE} is refused. */
    MESSAGES,
    /**
     * Each waiter sends a request every half second. The client publishes nothing, subscribes to nothing, and can't {@linkplain
     * io.hasp.ClientOptions#keep keep} locks.
     */
    POLL
}
