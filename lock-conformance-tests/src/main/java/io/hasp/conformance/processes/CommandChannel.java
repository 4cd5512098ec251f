package io.hasp.conformance.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends commands to a child process whose program is a {@link CommandServer}, and takes its answers. A call fails with
 * {@link RemoteFailure} if the command failed there or if the process ends before it answers. Thread-safe.
 */
public final class CommandChannel {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final ChildProcess child;
    private final Writer commands;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<Message>> calls = new ConcurrentHashMap<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    private CommandChannel(ChildProcess child) {
        this.child = child;
        this.commands = child.process().outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "hasp-client-" + child.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Opens the channel and does not wait until the process serves.
     *
     * @param child the process; only one channel may be opened to it
     * @return the channel
     */
    public static CommandChannel to(ChildProcess child) {
        return new CommandChannel(child);
    }

    /**
     * Waits until the process serves.
     *
     * @param name how a failure calls the process
     * @throws IllegalStateException if it ended before, or took too long; with the last of what it wrote
     */
    public void awaitReady(String name) {
        try {
            ready.orTimeout(START_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        } catch (RuntimeException e) {
            throw new IllegalStateException("client process " + name + " did not start:\n" + child.output(), e);
        }
    }

    /**
     * Sends a command and does not wait for its answer.
     *
     * @param word which command; without spaces
     * @param arguments sent as text
     * @return the answer
     */
    public CompletableFuture<Message> ask(String word, Object... arguments) {
        long id = ids.incrementAndGet();
        CompletableFuture<Message> call = new CompletableFuture<>();
        calls.put(id, call);
        try {
            synchronized (commands) {
                commands.write(Message.of(id, word, arguments).line() + "\n");
                commands.flush();
            }
        } catch (IOException e) {
            endCalls();
        }
        if (!child.alive()) {
            endCalls();
        }
        return call;
    }

    /** Returns true if every command has its answer. */
    boolean idle() {
        return calls.isEmpty();
    }

    private void read() {
        try (BufferedReader answers = child.process().inputReader(StandardCharsets.UTF_8)) {
            if (greeted(answers)) {
                ready.complete(true);
            }
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                complete(Message.parse(line));
            }
        } catch (IOException | RuntimeException e) {
            // As the end of the stream: the process is gone, or says what is no answer.
            endCalls();
        }
        child.awaitExit();
        endCalls();
        child.forgetId();
        ended.complete(true);
    }

    /** Skips what a Java agent or an option of the JVM may have printed before. */
    private static boolean greeted(BufferedReader answers) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.equals(CommandServer.GREETING)) {
            line = answers.readLine();
        }
        return line != null;
    }

    private void complete(Message answer) {
        CompletableFuture<Message> call = calls.remove(answer.id());
        if (call == null) {
            return;
        }
        if (answer.word().equals(CommandServer.FAILED)) {
            call.completeExceptionally(new RemoteFailure(answer.text(0), answer.text(1)));
        } else {
            call.complete(answer);
        }
    }

    private void endCalls() {
        ready.completeExceptionally(new RemoteFailure("", "the client process has ended"));
        for (Long id : List.copyOf(calls.keySet())) {
            CompletableFuture<Message> call = calls.remove(id);
            if (call != null) {
                call.completeExceptionally(new RemoteFailure("", "the client process has ended"));
            }
        }
    }

    /**
     * Lets the process end by itself, unless it is paused; kills it if it does not. Waits for its end. Idempotent.
     *
     * @param limit how long it may take to end
     */
    public void end(Duration limit) {
        if (child.alive() && !child.paused()) {
            try {
                ask(CommandServer.EXIT);
                child.awaitExit(limit);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        child.kill();
        ended.join();
    }
}
