package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a lease that its client considers lost although the servers would have kept it for longer than the doubt. There
 * are two exceptions. A fault after a direct grant may have lost the answer to its first renewal. A stopped process
 * renews nothing.
 */
final class NeedlessLosses implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    /** A larger gap between two checks of a lease, which are a millisecond apart, is a standstill. */
    private static final long STANDSTILL = TimeUnit.MILLISECONDS.toNanos(500);

    private final StoredLeases stored;
    private final long doubt;
    private final long claim;

    NeedlessLosses(StoredLeases stored, long doubt, long claim) {
        this.stored = stored;
        this.doubt = doubt;
        this.claim = claim;
    }

    @Override
    public Stream<Check.Finding> find(LockHistory lock) {
        return lock.grants().stream().flatMap(grant -> needless(lock, grant).stream());
    }

    private Optional<Check.Finding> needless(LockHistory lock, Attempt grant) {
        @Nullable Event lost = grant.event(Kind.LOST);
        @Nullable Event granted = grant.event(Kind.GRANTED);
        if (lost == null || granted == null || stoodStill(lost) || answerMayBeLost(lock, granted, lost)) {
            return Optional.empty();
        }
        long left = stored.left(lock.lock(), granted.value(), lost.at())
                .orElse(Duration.ZERO)
                .toNanos();
        if (left <= doubt) {
            return Optional.empty();
        }
        String what = String.format(
                Locale.ROOT,
                "%s lost what the server would have kept for %.3f ms more",
                grant.client(),
                left / NANOS_PER_MILLI);
        return Optional.of(new Check.Finding(what, List.copyOf(grant.events())));
    }

    private static boolean stoodStill(Event lost) {
        return lost.at() - lost.value() >= STANDSTILL;
    }

    private boolean answerMayBeLost(LockHistory lock, Event granted, Event lost) {
        return lost.value() - granted.at() <= claim
                && lock.events().stream()
                        .anyMatch(event -> event.kind() == Kind.FAULT
                                && event.at() >= granted.at() - claim
                                && event.at() <= lost.at());
    }
}
