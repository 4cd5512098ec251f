package io.hasp.evaluation.process;

import io.hasp.conformance.processes.ChildProcess;
import io.hasp.conformance.processes.CommandChannel;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.processes.RemoteFailure;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.Environment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A process that runs {@link ClientProgram}, as its parent sees it. Thread-safe; it does one command after the other. */
final class ClientHandle implements AutoCloseable {
    /**
     * Compiles methods after a tenth of the usual number of calls. Where processes take turns with one lock, each gets
     * it so seldom that its JVM would otherwise compile during the measurement instead of before it.
     */
    private static final String COMPILES_EARLY = "-XX:CompileThresholdScaling=0.1";

    /** A system property: one more option of the clients' JVMs. Tests, which need no figures, do without the second compiler. */
    private static final String OPTION = "hasp.client.option";

    private static final Duration EXIT_LIMIT = Duration.ofSeconds(5);

    private final ChildProcess process;
    private final CommandChannel channel;
    private final CompletableFuture<Boolean> connected;

    private ClientHandle(ChildProcess process, Environment environment, List<String> subjects) {
        this.process = process;
        this.channel = CommandChannel.to(process);
        List<String> arguments = new ArrayList<>(environment.toArguments());
        arguments.addAll(subjects);
        this.connected = ask(Command.CONNECT, arguments, answer -> true);
    }

    /**
     * Starts a process, which then connects its subjects; {@link #connected} completes afterwards. The addresses are
     * sent through the pipe and not as arguments: all users of the machine can read arguments, and URIs may contain
     * passwords.
     *
     * @param options more options of its JVM
     */
    static ClientHandle start(Environment environment, List<String> subjects, String... options) {
        List<String> all = new ArrayList<>(List.of("-Xmx512m", COMPILES_EARLY, "-Dfile.encoding=UTF-8"));
        all.addAll(List.of(options));
        Optional.ofNullable(System.getProperty(OPTION)).ifPresent(all::add);
        ChildProcess process = ChildProcess.start(folder -> JavaProgram.command(all, ClientProgram.class));
        return new ClientHandle(process, environment, subjects);
    }

    CompletableFuture<Boolean> connected() {
        return connected;
    }

    /** Reads the answer to a command. */
    @FunctionalInterface
    interface Reader<T> {
        T read(List<String> answer);
    }

    /** Fails with what the lock threw there, or with an {@link IOException} if the process ends. */
    <T> CompletableFuture<T> ask(
            Command command,
            String subject,
            Workload workload,
            long start,
            Duration slice,
            Reader<T> reader,
            String... more) {
        List<String> arguments = new ArrayList<>(workload.toArguments());
        arguments.addAll(List.of(subject, Long.toString(start), Long.toString(slice.toNanos())));
        arguments.addAll(List.of(more));
        return ask(command, arguments, reader);
    }

    private <T> CompletableFuture<T> ask(Command command, List<String> arguments, Reader<T> reader) {
        return channel.ask(command.name(), arguments.toArray()).handle((answer, failure) -> {
            if (answer == null) {
                throw new CompletionException(explained(failure));
            }
            return reader.read(answer.arguments());
        });
    }

    private Throwable explained(Throwable failure) {
        if (!(failure instanceof RemoteFailure remote)) {
            return failure;
        }
        if (remote.type().isEmpty()) {
            return new IOException("a client process ended: " + process.output().replace("\n", " | "), failure);
        }
        return new IllegalStateException(remote.reason(), failure);
    }

    /** Kills the process without warning (SIGKILL); its connections end with it. */
    void kill() {
        process.kill();
    }

    /** Lets it end by itself, and ends it if it does not. */
    @Override
    public void close() {
        channel.end(EXIT_LIMIT);
        process.close();
    }
}
