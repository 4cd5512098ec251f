package io.hasp.conformance.processes;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client of a lock under test in a JVM of its own, like a user's process: it can be paused and killed, and it records
 * its history. An exception there is thrown here as {@link RemoteFailure}; when the process ends, its calls fail.
 * Thread-safe.
 *
 * <p>{@link #close} leaves no process and no folder, unless {@link IdleClientProcesses} keeps the process. A kill of
 * this JVM leaves neither.
 */
public final class ClientJvm implements CrashableClient {
    /** Allowed time of a call beyond its own wait; a longer call is a hang. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String name;
    private final ClientProcess process;
    private final boolean reusable;
    private final Path file;
    private final HistoryLog ends = HistoryLog.inMemory();
    private @Nullable History last;
    private boolean closed;
    private volatile boolean spoilt;

    private ClientJvm(String name, ClientProcess process, boolean reusable, Path file) {
        this.name = name;
        this.process = process;
        this.reusable = reusable;
        this.file = file;
    }

    /**
     * Starts a client process.
     *
     * @param name a unique name in the history
     * @param factory makes the lock under test there
     * @param argument passed to the factory
     * @return a process whose client is open
     * @throws IllegalStateException if it can't open a client; with the process's output
     */
    public static ClientJvm start(String name, Class<? extends SubjectFactory> factory, String argument) {
        return open(name, ClientProcess.of(name, factory), true, argument);
    }

    /**
     * Starts a client process through another command.
     *
     * @param name a unique name in the history
     * @param factory makes the lock under test there
     * @param argument passed to the factory
     * @param how turns its command into another one that becomes the same process, such as {@code namespace::inside}
     * @return a process whose client is open
     * @throws IllegalStateException if it can't open a client; with the process's output
     */
    public static ClientJvm start(
            String name, Class<? extends SubjectFactory> factory, String argument, UnaryOperator<List<String>> how) {
        return open(name, ClientProcess.of(name, factory, how), false, argument);
    }

    private static ClientJvm open(String name, ClientProcess process, boolean reusable, String argument) {
        try {
            return new ClientJvm(name, process, reusable, process.open(name, argument));
        } catch (RuntimeException e) {
            process.end();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the process id.
     *
     * @return the process id
     */
    public long pid() {
        return process.child().pid();
    }

    Path folder() {
        return process.child().folder();
    }

    /**
     * Begins an acquisition without waiting for it.
     *
     * @param lock the lock's name
     * @param wait the longest time in the queue
     * @param lease the fixed lease; null for a renewed hold
     * @return the hold, empty if refused; completed exceptionally with {@link RemoteFailure} on any failure
     */
    public CompletableFuture<Optional<RemoteHold>> acquiring(String lock, Duration wait, @Nullable Duration lease) {
        return acquiring(lock, LockMode.EXCLUSIVE, wait, lease);
    }

    private CompletableFuture<Optional<RemoteHold>> acquiring(
            String lock, LockMode mode, Duration wait, @Nullable Duration lease) {
        return ask("acquire", ClientMain.arguments(lock, mode, wait, lease))
                .thenApply(answer -> answer.word().equals("refused")
                        ? Optional.empty()
                        : Optional.of(new RemoteHold(this, lock, answer.number(0), answer.number(1))));
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
        return acquired(lock, LockMode.EXCLUSIVE, wait, null);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
        return acquired(lock, LockMode.EXCLUSIVE, wait, lease);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        return acquired(lock, mode, wait, null);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
        return acquired(lock, mode, wait, lease);
    }

    private Optional<Hold> acquired(String lock, LockMode mode, Duration wait, @Nullable Duration lease)
            throws Exception {
        CompletableFuture<Optional<RemoteHold>> call = acquiring(lock, mode, wait, lease);
        try {
            return await(call, wait).map(hold -> hold);
        } catch (InterruptedException e) {
            call.thenAccept(late -> late.ifPresent(RemoteHold::releasing));
            throw e;
        }
    }

    @Override
    public CompletableFuture<Outcome> looping(LockLoop loop) {
        return ask("loop", ClientMain.arguments(loop))
                .thenApply(sum -> new Outcome(sum.number(0), sum.number(1), sum.number(2), sum.number(3)));
    }

    /**
     * Returns the holds of the process. A paused process answers when it is resumed.
     *
     * @return its holds, the oldest first, each with the client's own view of it
     * @throws Exception if the process ended
     */
    public List<HoldReport> report() throws Exception {
        return await(reporting(), Duration.ZERO);
    }

    /**
     * Requests a {@link #report} without waiting for it.
     *
     * @return the report
     */
    public CompletableFuture<List<HoldReport>> reporting() {
        return ask("report").thenApply(HoldReport::all);
    }

    /** Begins the release of a hold and does not wait for it. */
    CompletableFuture<Boolean> releasing(long hold) {
        return ask("release", hold).thenApply(answer -> answer.word().equals("released"));
    }

    /** Returns true if the process considers the lock held; false if the process has ended. */
    boolean believes(long hold) {
        return alive()
                && reporting()
                        .orTimeout(LIMIT.toNanos(), TimeUnit.NANOSECONDS)
                        .handle((reports, failure) -> reports != null
                                && reports.stream().anyMatch(report -> report.number() == hold && report.believed()))
                        .join();
    }

    /**
     * Makes random errors occur in the process, whose factory is an {@link ErrorInjector}.
     *
     * @param seed of all choices
     * @throws Exception if the process can't, or has ended
     */
    public void throwErrors(long seed) throws Exception {
        spoilt = true;
        await(ask("errors", seed), Duration.ZERO);
    }

    /**
     * Ends the random errors.
     *
     * @throws Exception as {@link ErrorInjector#stopErrors}
     */
    public void stopErrors() throws Exception {
        await(ask("errors"), Duration.ZERO);
    }

    /** {@inheritDoc} Stops the whole process at once (SIGSTOP). It has stopped when this returns. */
    @Override
    public synchronized void pause() {
        if (!closed) {
            process.child().pause();
        }
    }

    @Override
    public synchronized void resume() {
        if (!closed) {
            process.child().resume();
        }
    }

    /** {@inheritDoc} Ends the process without warning (SIGKILL), paused or not. */
    @Override
    public synchronized void kill() {
        if (alive()) {
            ends.died(name, System.nanoTime());
            process.child().kill();
        }
    }

    private synchronized boolean alive() {
        return !closed && process.child().alive();
    }

    /** After {@link #close} the process may be another client's. */
    private synchronized CompletableFuture<Message> ask(String word, Object... arguments) {
        return closed
                ? CompletableFuture.failedFuture(new RemoteFailure("", "the client process is closed"))
                : process.channel().ask(word, arguments);
    }

    /** {@inheritDoc} Includes the death of the process by {@link #kill} or {@link #close}. */
    @Override
    public History history() {
        return History.merge(List.of(recorded(), ends.history()));
    }

    private synchronized History recorded() {
        if (last != null) {
            return last;
        }
        return Files.exists(file) ? History.read(file) : History.of(List.of());
    }

    /**
     * Closes the client in its own way, then ends the process and deletes its folder, unless
     * {@link IdleClientProcesses} keeps them. Its history stays. Idempotent.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (alive()) {
                ends.died(name, System.nanoTime());
            }
            closed = true;
        }
        boolean closes = reusable && !spoilt && process.closeClient();
        if (!closes) {
            process.stop();
        }
        synchronized (this) {
            last = recorded();
        }
        if (!closes || !IdleClientProcesses.put(process)) {
            process.end();
        }
    }

    static <T> T await(CompletableFuture<T> call, Duration wait) throws Exception {
        try {
            return call.get(wait.plus(LIMIT).toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RemoteFailure failure ? failure : e;
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer of the client process", e);
        }
    }
}
