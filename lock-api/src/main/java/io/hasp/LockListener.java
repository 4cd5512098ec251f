package io.hasp;

/**
 * Told what happens to the locks of a client, for metrics and tracing. Set by {@link ClientOptions#listener}; a client may have
 * several.
 *
 * <p>Each listener is told all events in their order, one at a time, on a thread of the client's own (or its given executor), soon
 * after the thing happened, unless it {@linkplain #isNonBlocking never blocks}. A listener that blocks delays its own later events
 * and nothing else; what it throws is logged and dropped. Costs nothing when there is none.
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
     * Whether this listener may be told on the engine's own threads, which saves a change of threads for each event. That is for a
     * listener that counts and measures: it returns at once, never blocks and calls nothing of Hasp. It is told the events of one lock
     * in their order, and those of different locks at the same time. If it blocks nevertheless, it delays renewals.
     *
     * @return false unless a listener says otherwise; asked once, when its client is made
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
}
