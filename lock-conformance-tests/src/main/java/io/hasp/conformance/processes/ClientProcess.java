package io.hasp.conformance.processes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A process that opens clients of a lock under test, one after the other. Thread-safe. */
final class ClientProcess {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private static final Semaphore STARTS =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()));

    private final List<String> command;
    private final ChildProcess child;
    private final CommandChannel channel;
    private int opened;

    private ClientProcess(List<String> command, ChildProcess child) {
        this.command = command;
        this.child = child;
        this.channel = CommandChannel.to(child);
    }

    /** One that may have had clients of the same factory before, or a new one. */
    static ClientProcess of(String name, Class<? extends SubjectFactory> factory) {
        List<String> command = ClientMain.command(factory);
        return IdleClientProcesses.take(command).orElseGet(() -> start(name, command));
    }

    /** A new one, started in a special way. */
    static ClientProcess of(String name, Class<? extends SubjectFactory> factory, UnaryOperator<List<String>> how) {
        return start(name, how.apply(ClientMain.command(factory)));
    }

    /** Returns when it answers, so that only a few JVMs load their classes at a time, and rules that wait beside them go on. */
    private static ClientProcess start(String name, List<String> command) {
        STARTS.acquireUninterruptibly();
        try {
            ClientProcess process = new ClientProcess(command, ChildProcess.start(folder -> command));
            try {
                process.channel.awaitReady(name);
                return process;
            } catch (RuntimeException e) {
                process.end();
                throw e;
            }
        } finally {
            STARTS.release();
        }
    }

    /** The command that started the process. Processes with the same command are interchangeable. */
    List<String> command() {
        return command;
    }

    ChildProcess child() {
        return child;
    }

    CommandChannel channel() {
        return channel;
    }

    /**
     * Opens a client.
     *
     * @return the file with its history
     * @throws IllegalStateException if it can't; says what the process said
     */
    Path open(String name, String argument) {
        channel.awaitReady(name);
        Path history = child.folder().resolve("history-" + ++opened);
        try {
            channel.ask("open", name, argument, history)
                    .orTimeout(OPEN_LIMIT.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
            return history;
        } catch (RuntimeException e) {
            throw new IllegalStateException("client process " + name + " did not open:\n" + child.output(), e);
        }
    }

    /**
     * Closes the client, which receives no further command. Returns false if that fails or a command is still in
     * progress.
     */
    boolean closeClient() {
        if (!child.alive() || child.paused() || !channel.idle()) {
            return false;
        }
        try {
            channel.ask("close").get(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends it with its client, if it has one. Its folder stays. Idempotent. */
    void stop() {
        channel.end(CLOSE_LIMIT);
    }

    /** Ends it with its client, if it has one, and deletes its folder. Idempotent. */
    void end() {
        stop();
        child.close();
    }
}
