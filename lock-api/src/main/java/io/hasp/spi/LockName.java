package io.hasp.spi;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Names a lock: any Unicode text of 1 to {@value #MAX_BYTES} UTF-8 bytes without NUL and without lone surrogates. A backend maps it
 * <em>injectively</em> to its key or node: two different names never share a lock. Immutable.
 *
 * @param value the name from the user, unchanged
 */
public record LockName(String value) {

    /** The longest name, in UTF-8 bytes. */
    public static final int MAX_BYTES = 512;

    private static final int SHOWN = 32;

    /**
     * Checks the rule above.
     *
     * @throws IllegalArgumentException naming the value and the rule it breaks
     */
    public LockName {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("lock name is empty: it needs 1 to " + MAX_BYTES + " UTF-8 bytes");
        }
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "lock name '" + beginning(value).replace("\0", "\\0") + "' contains NUL");
        }
        int bytes = utf8Length(value);
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("lock name '" + beginning(value) + "' has " + bytes
                    + " UTF-8 bytes: at most " + MAX_BYTES + " are allowed");
        }
    }

    /** Shortens a name for a message. */
    private static String beginning(String value) {
        return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
    }

    private static int utf8Length(String value) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(java.nio.CharBuffer.wrap(value))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "lock name '" + beginning(value) + "' contains a lone surrogate, which no UTF-8 text can carry", e);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
