package io.hasp.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Keeps what programs print. Not for two at once: a JVM has one console. */
public final class Printed implements AutoCloseable {
    private final PrintStream console = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Printed() {
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** From now on until it is closed. */
    public static Printed fromNow() {
        return new Printed();
    }

    /** Returns the output until now. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setOut(console);
    }
}
