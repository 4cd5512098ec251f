package io.hasp;

import io.hasp.spi.BackendFailure;

/** What is known when a wait ends: only {@link Busy} may be reported as contention. */
sealed interface Evidence {

    /** The lock was seen held by somebody else. */
    record Busy() implements Evidence {}

    /** The latest attempt has no answer yet. */
    record Unanswered() implements Evidence {}

    /** The latest attempt, or the confirmation of this client's own lease, failed. */
    record Failed(BackendFailure failure) implements Evidence {}
}
