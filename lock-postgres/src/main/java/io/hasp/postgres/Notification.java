package io.hasp.postgres;

import java.util.Locale;

/** Selects the way in which a waiter learns that its turn has come. */
public enum Notification {
    /** By {@code LISTEN} on one connection of the client. */
    LISTEN,
    /**
     * By polls, every half second: for a transaction pooler, which can't pass messages on. No connection keeps a state of its session, no
     * statement is prepared by name, and no lock is kept after its release.
     */
    POLL;

    static Notification of(String word) {
        return switch (word) {
            case "listen" -> LISTEN;
            case "poll" -> POLL;
            default -> throw new IllegalArgumentException("notify=" + word + " is unknown: known are listen and poll");
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
