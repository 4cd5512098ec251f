package io.hasp.spi;

import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds a user and its password or token. A configuration takes a {@code Supplier} of credentials, because they may change while a program
 * runs. Credentials that never change supply themselves. Immutable.
 *
 * @param user its name; empty for the default user, if the server has one
 * @param password never part of a message
 */
public record Credentials(String user, String password) implements Supplier<Credentials> {

    /** Refuses null. */
    public Credentials {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    /**
     * Returns the present credentials of a provider.
     *
     * @param provider called once
     * @param server the server, in words
     * @return never null
     * @throws BackendFailure {@code DENIED} if the provider throws or returns null. The message has the type of the exception and not its
     *     message, which may contain a secret
     */
    public static Credentials from(Supplier<? extends @Nullable Credentials> provider, String server) {
        try {
            Credentials present = provider.get();
            if (present != null) {
                return present;
            }
        } catch (Throwable e) { // An error has a message as well, and would leave some client libraries waiting.
            IllegalStateException where = new IllegalStateException(e.getClass().getName());
            where.setStackTrace(e.getStackTrace());
            throw failure("threw " + e.getClass().getName(), server, where);
        }
        throw failure("returned null", server, null);
    }

    private static BackendFailure failure(String what, String server, @Nullable Throwable cause) {
        return new BackendFailure(
                Kind.DENIED,
                Outcome.NOT_APPLIED,
                server + " can't be signed in to: the credentials provider " + what,
                cause);
    }

    /** Returns these credentials. */
    @Override
    public Credentials get() {
        return this;
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "Credentials[user " + user + "]";
    }
}
