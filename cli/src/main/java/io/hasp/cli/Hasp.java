package io.hasp.cli;

import io.hasp.BackendException;
import io.hasp.InvalidArgumentException;
import io.hasp.UnsupportedCapabilityException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code hasp} command for operators. */
@Command(
        name = "hasp",
        description = "Shows, breaks and uses distributed locks on Redis, ZooKeeper and PostgreSQL.",
        footer = {
            "",
            "The lock service is the one of --uri, else the one of the environment variable HASP_URI.",
            "In a source tree of Hasp, ./hasp also has compare and torture: ./hasp compare --help.",
            "Example: HASP_URI=redis://127.0.0.1:6379 hasp run nightly -- ./report.sh"
        },
        subcommands = {LocksCommand.class, WatchCommand.class, BreakCommand.class, DoctorCommand.class, RunCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Hasp.Version.class)
public final class Hasp implements Runnable {
    private static final Pattern CREDENTIALS = Pattern.compile("//[^\\s/'\"\\[]*@");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Runs the command line and ends the process with its exit code.
     *
     * @param arguments of the command line
     */
    public static void main(String... arguments) {
        int exit = Exit.SOFTWARE;
        // Whatever the locale: names of locks are any text.
        Output output = new Output();
        PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        try {
            Optional<String> unreadable = unreadable(arguments);
            if (unreadable.isPresent()) {
                err.println("hasp: '" + unreadable.get() + "' is no text in UTF-8, as every argument must be");
                exit = Exit.USAGE;
            } else {
                exit = commandLine().setOut(out).setErr(err).execute(arguments);
            }
        } finally {
            out.flush();
            exit = written(output, err, exit);
            // Threads of client libraries would keep the process alive, so it exits after an unexpected error, too.
            System.exit(exit);
        }
    }

    private static int written(Output output, PrintWriter err, int exit) {
        Optional<String> failure = output.failure();
        failure.ifPresent(why -> err.println("hasp: the output can't be written: " + Printable.text(why)));
        return failure.isPresent() && exit == Exit.OK ? Exit.OUTPUT : exit;
    }

    /** Java replaces what it can't decode. A lock of that name would be another one. */
    private static Optional<String> unreadable(String... arguments) {
        return Stream.of(arguments).filter(each -> each.indexOf('\ufffd') >= 0).findFirst();
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Hasp())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, arguments) -> wrongInput(wrong))
                .setExecutionExceptionHandler((failure, command, result) -> failed(command.getErr(), failure));
        // The options of the command that runs under the lock are its own.
        Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
        return line;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int wrongInput(ParameterException wrong) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        wrong.getCommandLine().getErr().println("hasp: " + line(wrong) + " (try '" + command + " --help')");
        return Exit.USAGE;
    }

    private static int failed(PrintWriter err, Exception failure) {
        err.println("hasp: " + line(failure));
        if (failure instanceof InvalidArgumentException || failure instanceof UnsupportedCapabilityException) {
            return Exit.USAGE;
        }
        return failure instanceof BackendException ? Exit.UNREACHABLE : Exit.SOFTWARE;
    }

    /** A message repeats a wrong option, but not the credentials in it: others may see the terminal. */
    private static String line(Exception failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : Printable.text(CREDENTIALS.matcher(message).replaceAll("//…@"));
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Hasp.class.getPackage().getImplementationVersion();
            return new String[] {"hasp " + (version == null ? "(not packaged)" : version)};
        }
    }
}
