package io.hasp.evaluation.process;

import io.hasp.conformance.processes.JavaProgram;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.Environment;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that runs {@link ClientProgram}, as its parent sees it. One command at a time. */
final class ClientHandle implements AutoCloseable {
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(5);
    private static final int TAIL_LINES = 10;

    /**
     * Compiles methods after a tenth of the usual number of calls. Where processes take turns with one lock, each gets
     * it so seldom that its JVM would otherwise compile during the measurement instead of before it.
     */
    private static final String COMPILES_EARLY = "-XX:CompileThresholdScaling=0.1";

    private final Process process;
    private final DataInputStream answers;
    private final DataOutputStream commands;
    private final Deque<String> said = new ArrayDeque<>();
    private final Thread listener;

    private ClientHandle(Process process) {
        this.process = process;
        this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        this.commands = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.listener = new Thread(this::listen, "client-" + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Starts one, which then connects its subjects; {@link #awaitReady} waits for that.
     *
     * @param options more options of its JVM
     */
    static ClientHandle start(Environment environment, List<String> subjects, String... options) {
        List<String> all = new ArrayList<>(List.of("-Xmx512m", COMPILES_EARLY, "-Dfile.encoding=UTF-8"));
        all.addAll(List.of(options));
        List<String> command = JavaProgram.command(all, ClientProgram.class);
        try {
            ClientHandle client = new ClientHandle(new ProcessBuilder(command).start());
            client.introduce(environment, subjects);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException("can't start a client process", e);
        }
    }

    /**
     * Through the pipe and not as arguments: all users of the machine can read arguments, and URIs may have passwords.
     */
    private void introduce(Environment environment, List<String> subjects) {
        try {
            environment.write(commands);
            commands.writeInt(subjects.size());
            for (String subject : subjects) {
                commands.writeUTF(subject);
            }
            commands.flush();
        } catch (IOException e) {
            // The process has ended: awaitReady reports why.
            return;
        }
    }

    /** Reads standard error, so that the process never blocks on it, and keeps the last lines for error messages. */
    private void listen() {
        try (var lines = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (said) {
                    said.addLast(line);
                    if (said.size() > TAIL_LINES) {
                        said.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            // Same as the end of the stream: the process has ended.
            return;
        }
    }

    void awaitReady() throws IOException {
        awaitGreeting();
        check();
    }

    /** Skips what a Java agent or a JVM option may have printed before. */
    private void awaitGreeting() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf(ClientProgram.GREETING) < 0) {
            int next;
            try {
                next = answers.readUnsignedByte();
            } catch (IOException e) {
                throw ended(e);
            }
            if (next == '\n') {
                line.setLength(0);
            } else {
                line.append((char) next);
            }
        }
    }

    /** Reads the reply to a command. */
    @FunctionalInterface
    interface Reader<T> {
        T read(DataInputStream answers) throws IOException;
    }

    <T> T ask(Command command, String subject, Workload workload, long start, Duration slice, Reader<T> answer)
            throws IOException {
        commands.writeUTF(command.name());
        commands.writeUTF(subject);
        workload.write(commands);
        commands.writeLong(start);
        commands.writeLong(slice.toNanos());
        commands.flush();
        check();
        return answer.read(answers);
    }

    private void check() throws IOException {
        boolean well;
        try {
            well = answers.readBoolean();
        } catch (IOException e) {
            throw ended(e);
        }
        if (!well) {
            throw new IllegalStateException(answers.readUTF());
        }
    }

    private IOException ended(IOException e) {
        return new IOException("a client process ended: " + lastWords(), e);
    }

    private String lastWords() {
        try {
            listener.join(EXIT_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (said) {
            return String.join(" | ", said);
        }
    }

    /** Kills the process without warning (SIGKILL); its connections end with it. */
    void kill() {
        process.destroyForcibly();
    }

    /** Lets it end by itself, and ends it if it does not. */
    @Override
    public void close() {
        try {
            commands.close();
            process.waitFor(EXIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            // The process has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
