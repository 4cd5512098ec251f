package io.hasp.cli;

import io.hasp.LockClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that names the lock service. */
final class Service {
    static final String VARIABLE = "HASP_URI";

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "The lock service, such as redis://127.0.0.1:6379 or zookeeper://h1:2181,h2:2181. Without it:"
                    + " the environment variable HASP_URI. Other users see an argument in the list of processes, so a"
                    + " URI with a password belongs into the variable.")
    private @Nullable String uri;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec mixee;

    /** Connects; the caller closes the client. */
    LockClient connect() {
        String given = System.getenv(VARIABLE);
        if (uri == null && (given == null || given.isBlank())) {
            throw new ParameterException(
                    mixee.commandLine(),
                    "no lock service is named: give --uri URI, such as redis://127.0.0.1:6379,"
                            + " or set the environment variable " + VARIABLE);
        }
        return uri == null ? LockClient.connect() : LockClient.connect(uri);
    }
}
