package io.hasp.conformance.rules.support;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Captures the printed form of an exception, without its own stack. */
public final class PrintedTrace {
    private static final String FRAME = "\tat ";

    private PrintedTrace() {}

    /**
     * Prints an exception with its causes.
     *
     * @param thrown what was caught
     * @param caller who called what threw it: its frames, and those below, are its own
     * @return the other lines, in their order
     */
    public static List<String> beyondTheStackOf(Class<?> caller, Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        List<String> lines = new ArrayList<>();
        boolean own = false;
        for (String line : text.toString().lines().toList()) {
            own = line.startsWith(FRAME) && (own || line.contains(caller.getName()));
            if (!own) {
                lines.add(line);
            }
        }
        return lines;
    }
}
