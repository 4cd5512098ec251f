package io.hasp;

import io.hasp.spi.BackendFailure;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that the backend did not serve a request: it is down, slow, refuses the credentials, or stores something else under the name.
 * Never thrown for contention. The caller holds nothing; the remains of the failed request are released in the background, or end with its
 * lease or session.
 *
 * <p>The message names the lock, the server and the reason, and the stack trace is the caller's. The exception of the client library adds
 * dozens of lines about its own threads, and an outage fails every call. So that exception is the cause only while the logger
 * {@code io.hasp} logs at {@code DEBUG}. An {@link Error}, or an exception such as {@link NullPointerException}, shows a fault in a program
 * and not an outage, and always stays as the cause.
 */
public final class BackendException extends LockException {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger("io.hasp");

    /** Classifies a failure by the reaction to it. Later versions may add kinds: a {@code switch} over it needs a {@code default}. */
    public enum Kind {
        /** Not reachable, timed out, loading, read-only or out of memory. May pass by itself, so a retry makes sense. */
        UNAVAILABLE,
        /** Credentials or permissions are wrong. A retry changes nothing. */
        DENIED,
        /**
         * The name is in use as a lock of another kind: exclusive, read-write, or a semaphore of another number of permits. The server
         * decided this in the atomic step in which it would have granted the lock. A name without holders and waiters has no kind, so
         * clients that name different numbers of permits find out as soon as they meet.
         */
        OTHER_KIND,
        /** The value under the name is not a lock that this version understands, or a limit of the server is reached. */
        INCOMPATIBLE
    }

    /** Describes the effect of the failed request on the server. */
    public enum Outcome {
        /** Certainly without effect. */
        NOT_APPLIED,
        /** The request may have been applied, or may still be. */
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

    /** Returns null if the message says it all. */
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
     * Returns the kind of the failure, which says if a retry may help.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the effect of the request on the server.
     *
     * @return {@link Outcome#UNKNOWN} if the request may have had an effect for a while
     */
    public Outcome outcome() {
        return outcome;
    }
}
