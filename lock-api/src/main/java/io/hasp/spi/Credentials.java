package io.hasp.spi;

import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A user and its password or token. A configuration takes a {@code Supplier} of credentials, because they may change while a program runs.
 * Credentials that never change supply themselves. Immutable.
 *
 * @param user its name; empty for the default user, where the server has one
 * @param password never part of a message
 */
public record Credentials(String user, String password) implements Supplier<Credentials> {

    /** Refuses null. */
    public Credentials {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    /**
     * The present ones of a provider.
     *
     * @param provider asked once
     * @param server that they are for, in words
     * @return never null
     * @throws BackendFailure {@code DENIED} if the provider throws or returns null. It names the type of what was thrown and
     *     not its message, which may contain a secret
     */
    public static Credentials from(Supplier<? extends @Nullable Credentials> provider, String server) {
        try {
            Credentials present = provider.get();
            if (present != null) {
                return present;
            }
        } catch (Throwable e) { // An error, too, has a message, and would leave some client libraries waiting.
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

    /** These, at any time. */
    @Override
    public Credentials get() {
        return this;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "Credentials[user " + user + "]";
    }
}
