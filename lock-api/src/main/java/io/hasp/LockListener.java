package io.hasp;

/**
 * Told what happens to the locks of a client, for metrics and tracing. Set by {@link ClientOptions#addListener}; a client may have
 * several.
 *
 * <p>Each listener is told all events in their order, one at a time, on a thread of the client's own (or its given executor), soon
 * after the thing happened, unless it {@linkplain #isNonBlocking never blocks}. A listener that blocks delays its own later events
 * and nothing else; what it throws is logged and dropped. At most 10,000 events wait for a listener. Further ones are dropped until it
 * has taken half of them, and it receives {@linkplain #onDropped their number}. Costs nothing when there is none.
 *
 * <pre>{@code
 * event -> {
 *     if (event instanceof LockEvent.Lost lost) {
 *         alert(lost.lock(), lost.fencingToken(), lost.reason());
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface LockListener {

    /**
     * Whether this listener may be called on threads that run code of the program: those of callers of this API, and of a given executor. That
     * saves a change of threads. It is for a listener that counts and measures: it returns at once, never blocks and calls nothing of Hasp.
     *
     * <p>An event that happens on such a thread arrives there at once. Any other event, such as a renewal, arrives when the next call of the
     * client ends, or about 20 ms later on a thread of the client's own. The listener receives the events of one lock in their order, and
     * those of different locks at the same time. If it blocks nevertheless, it delays callers and its own later events, and no renewal of other
     * locks.
     *
     * @return false unless a listener says otherwise; asked once, when its client is made, which fails if the method throws
     */
    default boolean isNonBlocking() {
        return false;
    }

    /**
     * Something happened.
     *
     * @param event what; of a kind that this listener does not know, perhaps, because later versions may tell more
     */
    void onEvent(LockEvent event);

    /**
     * Events were dropped, because too many waited for this listener. Called on the thread of the events, when it takes them again.
     *
     * @param count how many since the last call
     */
    default void onDropped(long count) {}
}
