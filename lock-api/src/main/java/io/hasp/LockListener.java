package io.hasp;

/**
 * Receives the events of a client's locks, for metrics and tracing. Added by {@link ClientOptions#addListener}; a client may have several.
 *
 * <p>Each listener receives all events in their order, one at a time, on a thread of the client's own (or its given executor), soon after
 * the event, unless it {@linkplain #isNonBlocking never blocks}. A listener that blocks delays its own later events and nothing else; its
 * exceptions are logged and dropped. At most 10,000 events wait for a listener. Further events are dropped until it has taken half of them,
 * and it receives {@linkplain #onDropped their number}. A client without listeners has no cost.
 *
 * <pre>{@code event -> { if (event instanceof LockEvent.Lost lost) { alert(lost.lock(), lost.fencingToken(), lost.reason()); } } }</pre>
 */
@FunctionalInterface
public interface LockListener {

    /**
     * Returns true if this listener may be called on threads that run code of the program: those of callers of this API, and of a given
     * executor. That saves a change of threads. It suits a listener that counts and measures: it returns at once, never blocks and calls
     * nothing of Hasp.
     *
     * <p>An event on such a thread arrives there at once. Any other event, such as a renewal, arrives when the next call of the client
     * ends, or about 20 ms later on a thread of the client's own. The listener receives the events of one lock in their order, and those of
     * different locks at the same time. If it blocks nevertheless, it delays callers and its own later events, but no renewal of other
     * locks.
     *
     * @return false by default; called once, when its client is created, which fails if this method throws
     */
    default boolean isNonBlocking() {
        return false;
    }

    /**
     * Receives an event.
     *
     * @param event may be of a kind that did not exist when the listener was written, because later versions may add kinds
     */
    void onEvent(LockEvent event);

    /**
     * Receives the number of events that were dropped, because too many waited for this listener. Called on the thread of the events, when
     * the listener takes events again.
     *
     * @param count the number since the last call
     */
    default void onDropped(long count) {}
}
