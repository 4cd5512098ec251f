package io.hasp.conformance.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a program on this JVM's Java and class path, whose standard output carries what the program
 * says and nothing else: warnings of the JVM go to standard error, and no file is shared with processes of the same
 * number in another container.
 */
public final class JavaProgram {
    private static final List<String> QUIET =
            List.of("-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr", "-Xlog:disable", "-Xlog:all=warning:stderr");

    private JavaProgram() {}

    /**
     * Makes the command line. Thread-safe.
     *
     * @param options of the JVM, such as {@code -Xmx64m}
     * @param main the class with the main method
     * @param arguments of the program
     * @return the words, to be given to a {@link ProcessBuilder}
     */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
