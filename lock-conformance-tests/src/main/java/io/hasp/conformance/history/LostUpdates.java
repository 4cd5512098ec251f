package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Two increments that wrote the same value, or a final count below the increments. */
final class LostUpdates {

    private LostUpdates() {}

    static Optional<Check.Finding> find(LockHistory lock) {
        Map<Long, Event> writers = new HashMap<>();
        for (Event event : lock.events()) {
            if (event.kind() == Kind.COUNTED) {
                @Nullable Event first = writers.putIfAbsent(event.value(), event);
                if (first != null) {
                    return Optional.of(new Check.Finding(
                            first.client() + " and " + event.client() + " both counted to " + event.value(),
                            concat(lock, first, event)));
                }
            } else if (event.kind() == Kind.TOTAL && event.value() < writers.size()) {
                return Optional.of(new Check.Finding(
                        writers.size() + " increments, but the final count is " + event.value(), List.of(event)));
            }
        }
        return Optional.empty();
    }

    /** All events of the two attempts, so that the reader sees who held it when. */
    private static List<Event> concat(LockHistory lock, Event one, Event other) {
        return lock.events().stream()
                .filter(event -> event.isOf(one) || event.isOf(other))
                .toList();
    }
}
