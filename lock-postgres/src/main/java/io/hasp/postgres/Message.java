package io.hasp.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message of the server to this client: a direct grant to a waiter, a call to a waiter, or a recall of a lock that may be kept.
 *
 * @param holder of this client
 * @param token of the grant; 0 for a call, which grants nothing; -1 for a recall
 * @param claim the time for which the server keeps the lock for the waiter
 * @param marked true if the grant may be kept
 * @param lock the name
 */
record Message(String holder, long token, Duration claim, boolean marked, String lock) {
    private static final Pattern GRANT =
            Pattern.compile("([A-Za-z0-9-]+)\\|(\\d{1,18})\\|(\\d{1,9})(\\^?)\\|(.+)", Pattern.DOTALL);
    private static final Pattern RECALL = Pattern.compile("R\\|([A-Za-z0-9-]+)\\|(.+)", Pattern.DOTALL);

    /** Reads a message; empty if it is of another kind. */
    static Optional<Message> parse(String text) {
        Matcher recall = RECALL.matcher(text);
        if (recall.matches()) {
            return Optional.of(new Message(recall.group(1), -1, Duration.ZERO, false, recall.group(2)));
        }
        Matcher grant = GRANT.matcher(text);
        return grant.matches()
                ? Optional.of(new Message(
                        grant.group(1),
                        Long.parseLong(grant.group(2)),
                        Duration.ofMillis(Long.parseLong(grant.group(3))),
                        !grant.group(4).isEmpty(),
                        grant.group(5)))
                : Optional.empty();
    }

    boolean isRecall() {
        return token < 0;
    }

    boolean isGrant() {
        return token > 0;
    }
}
