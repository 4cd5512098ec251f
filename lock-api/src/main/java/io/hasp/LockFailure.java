package io.hasp;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The family of all exceptions that Hasp throws of its own; each permitted class is an unchecked exception. What goes wrong while a
 * program runs is a {@link LockException}. What a program does wrong is the exception that the JDK has for it: an
 * {@link IllegalArgumentException}, an {@link UnsupportedOperationException} or an {@link IllegalStateException}.
 */
public sealed interface LockFailure
        permits LockException,
                InvalidArgumentException,
                UnsupportedCapabilityException,
                ClientClosedException,
                LeaseReleasedException {

    /**
     * Returns the name of the lock that the failed call was about.
     *
     * @return empty if the failure is about no single lock, such as a client that can't connect
     */
    Optional<String> lockName();

    /**
     * Returns the fencing token of the lease that the failed call was about.
     *
     * @return empty if there was no lease
     */
    default OptionalLong fencingToken() {
        return OptionalLong.empty();
    }

    /**
     * Returns the message of the exception.
     *
     * @return names the value, the rule and, where there is one, the cure
     */
    String getMessage();
}
