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

    /** The reasons of a loss, in the words of a report. */
    enum Reason {
        STOOD_STILL("its process stood still"),
        ANSWER_LOST("a fault may have lost the answer to the first renewal of a direct grant"),
        UNKNOWN("the servers were silent, too"),
        OVER("the server had it no longer"),
        WITHIN_DOUBT("the server would have dropped it within the doubt"),
        NEEDLESS("needlessly: the server would have kept it beyond the doubt");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** A lost lease. The time left at the servers is in nanoseconds. */
    record Loss(Attempt grant, Event lost, Reason reason, long left) {}

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
        return losses(lock).filter(loss -> loss.reason() == Reason.NEEDLESS).map(NeedlessLosses::finding);
    }

    /** All lost leases. */
    Stream<Loss> losses(LockHistory lock) {
        return lock.grants().stream().flatMap(grant -> loss(lock, grant).stream());
    }

    private Optional<Loss> loss(LockHistory lock, Attempt grant) {
        @Nullable Event lost = grant.event(Kind.LOST);
        @Nullable Event granted = grant.event(Kind.GRANTED);
        if (lost == null || granted == null) {
            return Optional.empty();
        }
        Optional<Duration> left = stored.left(lock.lock(), granted.value(), lost.at());
        long nanos = left.orElse(Duration.ZERO).toNanos();
        return Optional.of(new Loss(grant, lost, reason(lock, granted, lost, left), nanos));
    }

    private Reason reason(LockHistory lock, Event granted, Event lost, Optional<Duration> left) {
        if (stoodStill(lost)) {
            return Reason.STOOD_STILL;
        }
        if (answerMayBeLost(lock, granted, lost)) {
            return Reason.ANSWER_LOST;
        }
        if (left.isEmpty()) {
            return Reason.UNKNOWN;
        }
        long nanos = left.get().toNanos();
        return nanos <= 0 ? Reason.OVER : nanos <= doubt ? Reason.WITHIN_DOUBT : Reason.NEEDLESS;
    }

    private static Check.Finding finding(Loss loss) {
        String what = String.format(
                Locale.ROOT,
                "%s lost what the server would have kept for %.3f ms more",
                loss.grant().client(),
                loss.left() / NANOS_PER_MILLI);
        return new Check.Finding(what, List.copyOf(loss.grant().events()));
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
