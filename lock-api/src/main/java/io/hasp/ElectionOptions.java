package io.hasp;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sets the properties of one candidate: start with the defaults and add options, such as {@code ElectionOptions.defaults().label("node 3")}.
 * Each method returns new options. Immutable; equal if the values are equal.
 */
public final class ElectionOptions {
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);
    private static final ElectionOptions DEFAULTS = new ElectionOptions(null, USUAL_PAUSE, LockOptions.defaults());

    private final @Nullable String label;
    private final Duration pause;
    private final LockOptions lock;

    private ElectionOptions(@Nullable String label, Duration pause, LockOptions lock) {
        this.label = label;
        this.pause = pause;
        this.lock = lock;
    }

    /**
     * Returns the default options: the client's label, a pause of one second, and the client's renewed lease.
     *
     * @return the default options
     */
    public static ElectionOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Names the candidate for people, in place of the client's {@link ClientOptions#label}. The label need not be unique.
     *
     * @param label as of a client: 1 to 128 characters, not blank, without control characters
     * @return new options
     * @throws InvalidArgumentException if null, or against the rule
     */
    public ElectionOptions label(String label) {
        return new ElectionOptions(Labels.checked("the label of a candidate", label), pause, lock);
    }

    /**
     * Sets the time between a failure and the next try: of work that threw, or of a candidate that the backend refused. Each pause is up to
     * half longer, at random, so that candidates that fail together do not come back together.
     *
     * @param pause positive; one second by default
     * @return new options
     * @throws InvalidArgumentException if null, zero or negative
     */
    public ElectionOptions pause(Duration pause) {
        return new ElectionOptions(label, Durations.positive("pause", pause), lock);
    }

    /**
     * Sets another lease than the client's. Where the server enforces a lease and not a session, the next candidate is elected after this
     * time when a leader crashes.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public ElectionOptions renewedLease(Duration lease) {
        return new ElectionOptions(label, pause, lock.renewedLease(lease));
    }

    /**
     * Returns the name of the candidate for people.
     *
     * @return empty for the client's
     */
    public Optional<String> label() {
        return Optional.ofNullable(label);
    }

    /**
     * Returns the least time between a failure and the next try.
     *
     * @return a positive time
     */
    public Duration pause() {
        return pause;
    }

    /**
     * Returns the lease of the leader's lock.
     *
     * @return empty for the client's
     */
    public Optional<Duration> renewedLease() {
        return lock.renewedLease();
    }

    LockOptions lock() {
        return lock.onLoss(OnLoss.INTERRUPT);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ElectionOptions that
                && Objects.equals(label, that.label)
                && pause.equals(that.pause)
                && lock.equals(that.lock);
    }

    @Override
    public int hashCode() {
        return Objects.hash(label, pause, lock);
    }

    /** Describes the candidate, for logs: {@code "the client's renewed lease, pause PT1S, label node 3"}. */
    @Override
    public String toString() {
        return lock + ", pause " + pause + (label == null ? "" : ", label " + label);
    }
}
