package io.hasp.redis.holder;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's message that another client requests a lock which has this client's mark.
 *
 * @param holder the lock's holder according to the server
 * @param lock the key
 */
public record RecallMessage(String holder, String lock) {
    private static final Pattern FORM = Pattern.compile("R\\|([\\w-]+)\\|(.+)", Pattern.DOTALL);

    /** Reads a message; empty if it is of another kind. */
    public static Optional<RecallMessage> parse(String message) {
        Matcher parts = FORM.matcher(message);
        return parts.matches() ? Optional.of(new RecallMessage(parts.group(1), parts.group(2))) : Optional.empty();
    }
}
