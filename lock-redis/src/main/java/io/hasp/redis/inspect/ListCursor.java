package io.hasp.redis.inspect;

import io.hasp.spi.BackendFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place behind a page of names. Immutable.
 *
 * @param server the server of the next page, in words; empty for the first server
 * @param data the name of the server's data; empty before its first page, or if it hides the name
 * @param scan the cursor of {@code SCAN}
 * @param began the server's clock at its first page, in microseconds; empty before it
 */
public record ListCursor(String server, String data, String scan, String began) {
    private static final String FIRST = "0";
    private static final Pattern FORM = Pattern.compile("(\\w*)\\|(\\d+)\\|(\\d*)\\|(.+)", Pattern.DOTALL);

    /** The begin of a server. */
    public static ListCursor at(String server) {
        return new ListCursor(server, "", FIRST, "");
    }

    /** Reads the text of a cursor, empty for the first page; fails with {@link BackendFailure} for any other text. */
    public static ListCursor parse(String text) {
        if (text.isEmpty()) {
            return at("");
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw notOne(text);
        }
        return new ListCursor(parts.group(4), parts.group(1), parts.group(2), parts.group(3));
    }

    /** The failure of a text that is no cursor. */
    public static BackendFailure notOne(String text) {
        return new BackendFailure(
                BackendFailure.Kind.INCOMPATIBLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "'" + text + "' is no cursor of a list of locks",
                null);
    }

    /** True behind the last page of the server. */
    public boolean ended() {
        return scan.equals(FIRST);
    }

    @Override
    public String toString() {
        return data + "|" + scan + "|" + began + "|" + server;
    }
}
