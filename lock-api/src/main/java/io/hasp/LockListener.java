package io.hasp;

/**
 * Told what happens to the locks of a client, for metrics and tracing. Set by {@link ClientOptions#listener}; a client may have
 * several.
 *
 * <p>Each listener is told all events in their order, one at a time, on a thread of the client's own (or its given executor), soon
 * after the thing happened. A listener that blocks delays its own later events and nothing else; what it throws is logged and
 * dropped. Costs nothing when there is none.
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
     * Something happened.
     *
     * @param event what; of a kind that this listener does not know, perhaps, because later versions may tell more
     */
    void onEvent(LockEvent event);
}
