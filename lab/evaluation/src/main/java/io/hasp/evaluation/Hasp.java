package io.hasp.evaluation;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Redaction;
import io.hasp.evaluation.servers.Backend;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.subject.Subject;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code hasp} command. */
@Command(
        name = "hasp",
        description = "One lock API, any lock backend, and evidence of what each backend really guarantees.",
        mixinStandardHelpOptions = true,
        versionProvider = Hasp.Version.class)
public final class Hasp implements Runnable {
    /** Exit code when a safety violation was seen, or something could not be measured. */
    static final int FAILED = 1;

    /** Exit code for wrong input. */
    static final int WRONG_INPUT = 2;

    /** Exit code when a lock has become worse than in an earlier run. */
    static final int WORSE = 3;

    /** Exit code after Ctrl-C, as shells give it. */
    static final int INTERRUPTED = 130;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Runs the command line and ends the process with its exit code.
     *
     * @param arguments of the command line
     */
    public static void main(String... arguments) {
        int exit = FAILED;
        try {
            exit = commandLine(new CompareCommand()).execute(arguments);
        } catch (Error e) {
            System.err.println("hasp: " + e);
            throw e;
        } finally {
            // Threads of client libraries would keep the process alive, so it exits after an unexpected error, too.
            System.exit(exit);
        }
    }

    static CommandLine commandLine(CompareCommand compare) {
        return new CommandLine(new Hasp())
                .addSubcommand(compare)
                .addSubcommand(new TortureCommand())
                .registerConverter(Backend.class, reading(Backend::of))
                .registerConverter(Experiment.class, reading(Experiments::of))
                .registerConverter(Subject.class, reading(Subject::of))
                .registerConverter(RedisTopology.class, reading(RedisTopology::of))
                .registerConverter(Distance.class, reading(Distance::ofRoundTrip))
                .setParameterExceptionHandler((wrong, arguments) -> wrongInput(wrong))
                .setExecutionExceptionHandler((failure, line, result) -> failed(line.getErr(), failure));
    }

    /** An error message is that of the reader only: a URI, which picocli would repeat, may contain a password. */
    private static <T> ITypeConverter<T> reading(Function<String, T> reader) {
        return text -> {
            try {
                return reader.apply(text);
            } catch (RuntimeException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int wrongInput(ParameterException wrong) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        wrong.getCommandLine().getErr().println("hasp: " + firstLine(wrong) + " (try '" + command + " --help')");
        return WRONG_INPUT;
    }

    private static int failed(PrintWriter err, Exception failure) {
        err.println("hasp: " + firstLine(failure));
        return FAILED;
    }

    /** A message repeats a wrong option, but not the credentials in it: others may see the terminal. */
    private static String firstLine(Exception failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : Redaction.of(message.lines().findFirst().orElse(""));
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Hasp.class.getPackage().getImplementationVersion();
            return new String[] {"hasp " + (version == null ? "(not packaged)" : version)};
        }
    }
}
