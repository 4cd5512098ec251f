package io.hasp.evaluation.measure;

import java.util.regex.Pattern;

/** Removes the credentials of URIs from texts that others see. */
public final class Redaction {
    /** Up to the last {@code @} before a path: a password may have one that was not encoded. */
    private static final Pattern CREDENTIALS = Pattern.compile("//[^\\s/'\"\\[]*@");

    private Redaction() {}

    /**
     * Replaces what stands before the host of each URI.
     *
     * @param text any text
     * @return such as {@code redis://…@host}
     */
    public static String of(String text) {
        return CREDENTIALS.matcher(text).replaceAll("//…@");
    }
}
