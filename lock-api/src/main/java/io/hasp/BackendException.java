package io.hasp;

import io.hasp.spi.BackendFailure;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The backend did not do what it was asked: it is down, slow, refuses the credentials, or stores something else under the
 * name. Never thrown for contention. The caller holds nothing; what the failed request may have left behind is released in
 * the background, or ends with its lease or session.
 *
 * <p>The message names the lock, the server and the reason, and the stack trace is the caller's. An outage fails every call
 * of a program that may print each of them, and what the client library threw adds dozens of lines on its own threads and
 * nothing that helps: so it is the cause only while the logger {@code io.hasp} logs at {@code DEBUG}. An {@link Error} and an
 * exception such as {@link NullPointerException}, which tell of a fault in a program and not of an outage, are always kept.
 */
public final class BackendException extends LockException {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger("io.hasp");

    /**
     * What went wrong, as far as the reaction to it differs. Later versions may tell more apart: a {@code switch} over it needs a
     * {@code default}.
     */
    public enum Kind {
        /** Not reachable, timed out, loading, read-only, out of memory: may pass by itself, so trying again makes sense. */
        UNAVAILABLE,
        /** Credentials or permissions: trying again changes nothing. */
        DENIED,
        /**
         * The name is in use as a lock of another kind: exclusive, read-write, or a semaphore of another number of permits. The server
         * decided this in the atomic step in which it would have granted the lock. A name without holders and waiters has no
         * kind, so clients that name different numbers of permits find out as soon as they meet.
         */
        OTHER_KIND,
        /** The value under the name is not a lock that this version understands, or a limit of the server is reached. */
        INCOMPATIBLE
    }

    /** What is known about the effect of the request on the server. */
    public enum Outcome {
        /** Certainly without effect. */
        NOT_APPLIED,
        /** It may have been applied, or may still be. */
        UNKNOWN
    }

    private final Kind kind;
    private final Outcome outcome;

    BackendException(String message, BackendFailure failure, @Nullable String lockName) {
        super(message, explaining(failure.getCause()), lockName);
        this.kind = translated(failure.kind());
        this.outcome = translated(failure.outcome());
    }

    private static Kind translated(BackendFailure.Kind kind) {
        return switch (kind) {
            case UNAVAILABLE -> Kind.UNAVAILABLE;
            case DENIED -> Kind.DENIED;
            case OTHER_KIND -> Kind.OTHER_KIND;
            case INCOMPATIBLE -> Kind.INCOMPATIBLE;
        };
    }

    private static Outcome translated(BackendFailure.Outcome outcome) {
        return switch (outcome) {
            case NOT_APPLIED -> Outcome.NOT_APPLIED;
            case UNKNOWN -> Outcome.UNKNOWN;
        };
    }

    /** What says more than the message does; null if the message says it all. */
    private static @Nullable Throwable explaining(@Nullable Throwable cause) {
        return cause != null && (isFault(cause) || debugged()) ? cause : null;
    }

    private static boolean debugged() {
        try {
            return LOG.isLoggable(System.Logger.Level.DEBUG);
        } catch (RuntimeException | Error broken) {
            return false;
        }
    }

    private static boolean isFault(Throwable cause) {
        boolean ofTheJdk = cause.getClass().getName().startsWith("java.");
        return cause instanceof Error
                || (ofTheJdk && cause instanceof RuntimeException && !(cause instanceof UncheckedIOException));
    }

    /**
     * Whether trying again may help.
     *
     * @return what went wrong, as far as the reaction to it differs
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Whether the request may have had an effect on the server for a while.
     *
     * @return {@link Outcome#UNKNOWN} if it may
     */
    public Outcome outcome() {
        return outcome;
    }
}
