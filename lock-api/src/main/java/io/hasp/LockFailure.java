package io.hasp;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Marks all exceptions of Hasp; each permitted class is an unchecked exception. A failure while a program runs is a {@link LockException}.
 * A fault of a program is the exception that the JDK has for it: an {@link IllegalArgumentException}, an
 * {@link UnsupportedOperationException} or an {@link IllegalStateException}.
 */
public sealed interface LockFailure
        permits LockException,
                InvalidArgumentException,
                UnsupportedCapabilityException,
                ClientClosedException,
                LeaseReleasedException {

    /**
     * Returns the name of the lock of the failed call.
     *
     * @return empty if the failure concerns no single lock, such as a client that can't connect
     */
    Optional<String> lockName();

    /**
     * Returns the fencing token of the lease of the failed call.
     *
     * @return empty if there was no lease
     */
    default OptionalLong fencingToken() {
        return OptionalLong.empty();
    }

    /**
     * Returns the message of the exception.
     *
     * @return the value, the rule and, where there is one, the cure
     */
    String getMessage();
}
