package io.hasp.conformance.processes;

import io.hasp.conformance.history.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A {@link ClientMain} seen from outside: its pipes, its folder and the signals sent to it. */
final class Child {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(10);
    private static final int TAIL_LINES = 25;
    private static final String HISTORY = "history";
    private static final String OUTPUT = "output";

    private final Path folder;
    private final Process process;
    private final CleanupShell shell;
    private final Writer commands;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<Message>> calls = new ConcurrentHashMap<>();
    private final CompletableFuture<Message> ready = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private @Nullable History last;
    private boolean paused;

    private Child(Path folder, Process process, CleanupShell shell) {
        this.folder = folder;
        this.process = process;
        this.shell = shell;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        calls.put(0L, ready);
        Thread reader = new Thread(this::read, "hasp-client-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static Child start(
            String name, Class<? extends SubjectFactory> factory, String argument, UnaryOperator<List<String>> how) {
        Child child;
        try {
            Path folder = Files.createTempDirectory("hasp-client-");
            Process process = new ProcessBuilder(how.apply(command(name, factory, argument, folder)))
                    .redirectError(folder.resolve(OUTPUT).toFile())
                    .start();
            child = new Child(folder, process, CleanupShell.of(process.pid(), folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            child.ready.orTimeout(START_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            return child;
        } catch (RuntimeException e) {
            IllegalStateException failure =
                    new IllegalStateException("client process " + name + " did not start:\n" + child.output(), e);
            child.close();
            throw failure;
        }
    }

    private static List<String> command(
            String name, Class<? extends SubjectFactory> factory, String argument, Path folder) {
        List<String> options = new ArrayList<>(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        // Such as the scale of all timings.
        System.getProperties().stringPropertyNames().stream()
                .filter(property -> property.startsWith("hasp."))
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .forEach(options::add);
        return JavaProgram.command(
                options,
                ClientMain.class,
                name,
                factory.getName(),
                argument,
                folder.resolve(HISTORY).toString());
    }

    long pid() {
        return process.pid();
    }

    Path folder() {
        return folder;
    }

    boolean alive() {
        return process.isAlive();
    }

    CompletableFuture<Message> ask(LongFunction<Message> command) {
        long id = ids.incrementAndGet();
        CompletableFuture<Message> call = new CompletableFuture<>();
        calls.put(id, call);
        try {
            synchronized (commands) {
                commands.write(command.apply(id).line() + "\n");
                commands.flush();
            }
        } catch (IOException e) {
            endCalls();
        }
        if (!alive()) {
            endCalls();
        }
        return call;
    }

    private void read() {
        try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                Message answer = Message.parse(line);
                CompletableFuture<Message> call = calls.remove(answer.id());
                if (call == null) {
                    continue;
                }
                if (answer.word().equals("failed")) {
                    call.completeExceptionally(new RemoteFailure(answer.text(0), answer.text(1)));
                } else {
                    call.complete(answer);
                }
            }
        } catch (IOException e) {
            // As the end of the stream: the process is gone.
            endCalls();
        }
        process.onExit().join();
        endCalls();
        // Its id may soon be somebody else's.
        shell.childEnded();
        ended.complete(null);
    }

    private void endCalls() {
        for (Long id : List.copyOf(calls.keySet())) {
            CompletableFuture<Message> call = calls.remove(id);
            if (call != null) {
                call.completeExceptionally(new RemoteFailure("", "the client process has ended"));
            }
        }
    }

    synchronized void pause() {
        paused = true;
        shell.stop();
    }

    synchronized void resume() {
        shell.resume();
        paused = false;
    }

    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    synchronized History history() {
        if (last != null) {
            return last;
        }
        Path file = folder.resolve(HISTORY);
        return Files.exists(file) ? History.read(file) : History.of(List.of());
    }

    synchronized void close() {
        if (last != null) {
            return;
        }
        if (alive() && !paused) {
            try {
                ask(id -> Message.of(id, "exit"));
                process.waitFor(EXIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        kill();
        ended.join();
        last = history();
        shell.letGo();
    }

    private String output() {
        try {
            List<String> lines = Files.readAllLines(folder.resolve(OUTPUT), StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }
}
