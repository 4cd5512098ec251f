package io.hasp.conformance.torture;

import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.Event.Kind;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.Verdict;
import java.util.Optional;

/** Whether clients got locks again after the last fault: else a torture that only fails would look sound. */
final class Progress {

    private Progress() {}

    static Optional<Verdict> missing(History history) {
        long healed = history.events().stream()
                .filter(event -> event.kind() == Kind.HEALED || event.kind() == Kind.DIED)
                .mapToLong(Event::at)
                .max()
                .orElse(Long.MIN_VALUE);
        boolean granted =
                history.events().stream().anyMatch(event -> event.kind() == Kind.GRANTED && event.at() > healed);
        return granted
                ? Optional.empty()
                : Optional.of(new Verdict.Broken(
                        "clients get locks after the last fault", "torture", "nobody got any lock any more", ""));
    }
}
