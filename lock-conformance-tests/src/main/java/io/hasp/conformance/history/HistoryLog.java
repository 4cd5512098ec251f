package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of clients. Each event in a file is one write to the operating system, so it survives the kill of
 * its process. Thread-safe.
 */
public final class HistoryLog implements AutoCloseable {
    private final AtomicLong attempts = new AtomicLong();
    private final List<Event> memory = new ArrayList<>();
    private final @Nullable OutputStream file;

    private HistoryLog(@Nullable OutputStream file) {
        this.file = file;
    }

    /**
     * Creates a log that keeps its events in this JVM.
     *
     * @return an empty log
     */
    public static HistoryLog inMemory() {
        return new HistoryLog(null);
    }

    /**
     * Creates a log that appends to a file, to be read with {@link History#read}. Only one log at a time may append to
     * a file.
     *
     * @param path the file; created if missing
     * @return an open log; the caller closes it
     * @throws UncheckedIOException if it can't be written
     */
    public static HistoryLog appendingTo(Path path) {
        try {
            return new HistoryLog(Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Records that a client calls acquire now; the returned log records the rest.
     *
     * @param client a name that no other client of the merged history has
     * @param lock the lock's name
     * @return the log of this one acquisition
     */
    public AttemptLog acquiring(String client, String lock) {
        return acquiring(client, lock, LockMode.EXCLUSIVE);
    }

    /**
     * Records a client's request for a shared lock.
     *
     * @param client as in {@link #acquiring(String, String)}
     * @param lock the lock's name
     * @param mode the requested mode
     * @return as there
     */
    public AttemptLog acquiring(String client, String lock, LockMode mode) {
        return new AttemptLog(this, client, attempts.incrementAndGet(), lock, mode);
    }

    /**
     * Records that a client without a hold calls release now, for example a thread that unlocks another thread's lock.
     *
     * @param client the caller
     * @param lock the lock's name
     * @return the log for the outcome: {@link AttemptLog#released} or {@link AttemptLog#releaseUnknown}
     */
    public AttemptLog releasingUnheld(String client, String lock) {
        return AttemptLog.ofRelease(this, client, attempts.incrementAndGet(), lock);
    }

    /**
     * Records that a process was ended. Take the moment before the signal: from then on the process holds nothing.
     *
     * @param process the process: every client with this name or one starting with it and a slash
     * @param at the moment on {@link System#nanoTime}
     */
    public void died(String process, long at) {
        add(new Event(at, Kind.DIED, process, 0, "", 0, ""));
    }

    /**
     * Records that a fault begins now. Liveness is not checked until {@link #healed}.
     *
     * @param target the target of the fault; identifies the pair
     * @param what the fault in words
     */
    public void fault(String target, String what) {
        add(new Event(System.nanoTime(), Kind.FAULT, target, 0, "", 0, what));
    }

    /**
     * Records that the fault on a target ended.
     *
     * @param target as given to {@link #fault}
     */
    public void healed(String target) {
        add(new Event(System.nanoTime(), Kind.HEALED, target, 0, "", 0, ""));
    }

    /**
     * Records that an operator broke a grant, or may have broken it.
     *
     * @param lock the lock's name
     * @param token the token of the first lease under the grant
     * @param since the moment before the operator's request, on {@link System#nanoTime}
     * @param certain true if the answer is here: the grant was ended by now
     */
    public void broken(String lock, long token, long since, boolean certain) {
        add(new Event(since, Event.Kind.BREAKING, "operator", 0, lock, token, ""));
        if (certain) {
            add(new Event(System.nanoTime(), Event.Kind.BROKEN, "operator", 0, lock, token, ""));
        }
    }

    /**
     * Records the final value of the counter that a lock protects.
     *
     * @param lock the lock's name
     * @param value the counter
     */
    public void total(String lock, long value) {
        add(new Event(System.nanoTime(), Kind.TOTAL, "", 0, lock, value, ""));
    }

    /**
     * Returns the events recorded so far by a log in memory.
     *
     * @return the history; empty for a log on a file
     */
    public synchronized History history() {
        return History.of(memory);
    }

    synchronized void add(Event event) {
        OutputStream out = file;
        if (out == null) {
            memory.add(event);
            return;
        }
        try {
            out.write((event.line() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the file. Idempotent. */
    @Override
    public synchronized void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
