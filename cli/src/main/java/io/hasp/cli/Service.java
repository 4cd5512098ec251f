package io.hasp.cli;

import io.hasp.LockClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the lock service. */
final class Service {
    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "The lock service, such as redis://127.0.0.1:6379 or zookeeper://h1:2181,h2:2181. Without it:"
                    + " the environment variable HASP_URI. Other users see an argument in the list of processes, so a"
                    + " URI with a password belongs into the variable.")
    private @Nullable String uri;

    /** Connects; the caller closes the client. */
    LockClient connect() {
        return uri == null ? LockClient.connect() : LockClient.connect(uri);
    }
}
