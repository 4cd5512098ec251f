package io.hasp.spi;

/**
 * Identifies one acquisition attempt. Never reused: not per thread, not per client, not per host. Every ownership check compares holder
 * ids, so that a delayed message of an earlier attempt can't touch a later one. Immutable.
 *
 * @param value letters, digits and {@code -} only, so that it fits into a key, a node name or a channel unchanged
 */
public record HolderId(String value) {

    /**
     * Checks the alphabet.
     *
     * @throws IllegalArgumentException for an empty value or another character
     */
    public HolderId {
        if (!allowed(value)) {
            throw new IllegalArgumentException("holder id '" + value + "' may hold letters, digits and '-' only");
        }
    }

    /** Written by hand: every acquisition calls it. */
    private static boolean allowed(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!allowed(value.charAt(i))) {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private static boolean allowed(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    }

    @Override
    public String toString() {
        return value;
    }
}
