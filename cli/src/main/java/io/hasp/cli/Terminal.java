package io.hasp.cli;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Finds the terminal of this process. */
final class Terminal {
    private Terminal() {}

    /** Null if standard input or output is none. */
    @SuppressWarnings(
            "SystemConsoleNull") // Since JDK 22 there is a console without a terminal, and a method that says so.
    static @Nullable Console console() {
        Console console = System.console();
        if (console == null) {
            return null;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console)) ? console : null;
        } catch (ReflectiveOperationException beforeJdk22) {
            return console;
        }
    }
}
