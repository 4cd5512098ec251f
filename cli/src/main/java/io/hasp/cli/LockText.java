package io.hasp.cli;

import io.hasp.LockView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** The words for locks, holders and times, as tables show them. */
final class LockText {
    static final String NONE = "-";

    private LockText() {}

    /** Such as {@code exclusive}, {@code read} or {@code semaphore 1/4}. */
    static String kind(LockView lock, LockView.Use use, int permits) {
        return switch (use) {
            case MAY_BE_KEPT -> "held or kept";
            case STAYS_TAKEN -> "stays taken";
            case READ -> "read";
            case WRITE -> "write";
            case HELD ->
                lock.kind() == LockView.Kind.SEMAPHORE
                        ? "semaphore " + permits + "/" + lock.capacity()
                        : kind(lock.kind());
        };
    }

    static String kind(LockView.Kind kind) {
        return word(kind).replace('_', '-');
    }

    /** The word of a constant in JSON. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String label(String label) {
        return label.isEmpty() ? NONE : Printable.text(label);
    }

    static String time(Optional<Instant> at) {
        return at.map(LockText::time).orElse(NONE);
    }

    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Such as {@code 9.5s}, {@code 4m10s}, {@code 3h} or {@code 12d4h}. */
    static String left(Optional<Duration> left) {
        return left.map(LockText::duration).orElse("session");
    }

    private static String duration(Duration time) {
        if (time.toMinutes() == 0) {
            long millis = Math.max(0, time.toMillis());
            return millis / 1000 + "." + millis % 1000 / 100 + "s";
        }
        if (time.toHours() == 0) {
            return two(time.toMinutes(), "m", time.toSecondsPart(), "s");
        }
        return time.toDays() == 0
                ? two(time.toHours(), "h", time.toMinutesPart(), "m")
                : two(time.toDays(), "d", time.toHoursPart(), "h");
    }

    private static String two(long first, String unit, int second, String lesser) {
        return first + unit + (second == 0 ? "" : second + lesser);
    }
}
