package io.hasp;

import static io.hasp.InvalidArgumentException.required;

/** Checks the names that people give to clients and candidates. */
final class Labels {
    static final int LONGEST = 128;

    private Labels() {}

    static String checked(String what, String label) {
        if (required(what, label).isBlank()) {
            throw new InvalidArgumentException(what + " is blank");
        }
        if (label.length() > LONGEST) {
            throw new InvalidArgumentException(what + " '" + label.substring(0, LONGEST / 4) + "…' has "
                    + label.length() + " characters: at most " + LONGEST + " are allowed");
        }
        if (label.codePoints().anyMatch(Labels::refused)) {
            throw new InvalidArgumentException(
                    what + " '" + fitting(label) + "' contains a control character or a lone surrogate");
        }
        return label;
    }

    private static boolean refused(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE;
    }

    /** Cuts and replaces what the rule forbids. */
    static String fitting(String text) {
        StringBuilder fitting = new StringBuilder();
        text.codePoints()
                .limit(LONGEST / 2)
                .map(character -> refused(character) ? '?' : character)
                .forEach(fitting::appendCodePoint);
        return fitting.toString();
    }
}
