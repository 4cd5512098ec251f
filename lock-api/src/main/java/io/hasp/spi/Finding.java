package io.hasp.spi;

import java.util.Objects;

/**
 * States the result of one check of a service. Immutable.
 *
 * @param level good, doubtful, bad, or not checked
 * @param check the name of the check, in a few lower-case words: {@code "eviction policy"}
 * @param text what was found and, unless it is good, what to do
 * @param page the documentation's page that explains it, such as {@code "guarantees/redis.md"}; empty if there is none
 */
public record Finding(Level level, String check, String text, String page) {

    /** Refuses null. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(page, "page");
    }

    /** The weight of a finding. */
    public enum Level {
        /** Nothing to do. */
        OK,
        /** Locks work, with a weaker promise or a risk. */
        WARN,
        /** Locks do not work, or can be lost without a fault. */
        FAIL,
        /** Could not be checked: the text says which permission or answer is missing. */
        UNKNOWN
    }
}
