package io.hasp.cli;

/** Makes names and labels of other programs safe to print: they may contain anything. */
final class Printable {
    private Printable() {}

    /** Replaces each control character, line separator and unpaired surrogate by an escape, as in Java. */
    static String text(String any) {
        int length = any.length();
        for (int i = 0; i < length; i++) {
            if (escaped(any, i)) {
                return escape(any);
            }
        }
        return any;
    }

    private static String escape(String any) {
        StringBuilder printable = new StringBuilder(any.length() + 16);
        for (int i = 0; i < any.length(); i++) {
            char each = any.charAt(i);
            if (escaped(any, i)) {
                printable.append("\\u%04x".formatted((int) each));
            } else {
                printable.append(each);
            }
        }
        return printable.toString();
    }

    private static boolean escaped(String any, int i) {
        char each = any.charAt(i);
        if (Character.isHighSurrogate(each)) {
            return i + 1 == any.length() || !Character.isLowSurrogate(any.charAt(i + 1));
        }
        if (Character.isLowSurrogate(each)) {
            return i == 0 || !Character.isHighSurrogate(any.charAt(i - 1));
        }
        // Format characters reverse the direction of a line, or are invisible.
        int type = Character.getType(each);
        return Character.isISOControl(each)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
