package io.hasp.conformance.processes;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.RecordedUser;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** A client of a lock under test in this JVM, for locks that do not reach beyond it, and for speed. Thread-safe. */
public final class LocalClient implements WorkingClient {
    private final String name;
    private final HistoryLog log = HistoryLog.inMemory();
    private final LockUser user;
    private final ExecutorService threads;

    private LocalClient(String name, LockUser user) {
        this.name = name;
        this.user = user;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "hasp-client-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Opens a client.
     *
     * @param name its name in the history, unlike any other's
     * @param subject the lock under test
     * @return an open client, closed by the caller
     * @throws Exception if the lock's server can't be reached
     */
    public static LocalClient open(String name, LockSubject subject) throws Exception {
        return over(name, subject.open());
    }

    /** Closed with the client that it uses. */
    static LocalClient over(String name, LockUser user) {
        return new LocalClient(name, user);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Outcome> looping(LockLoop loop) {
        RecordedUser recorded = new RecordedUser(user, log, name);
        try {
            return CompletableFuture.supplyAsync(() -> run(recorded, loop), threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Outcome run(RecordedUser recorded, LockLoop loop) {
        try {
            return LockLoopRunner.run(recorded, loop, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public History history() {
        return log.history();
    }

    /** {@inheritDoc} Loops that still run end with failures. */
    @Override
    public void close() throws Exception {
        log.died(name, System.nanoTime());
        user.close();
        threads.shutdown();
    }
}
