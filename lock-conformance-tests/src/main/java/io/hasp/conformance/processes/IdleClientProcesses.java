package io.hasp.conformance.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Processes whose {@link ClientJvm} was closed, kept for the next one of the same kind while a pool is open. Most rules
 * take less time than the start of a JVM. Without a pool, {@link ClientJvm#close} ends the process. Thread-safe.
 */
public final class IdleClientProcesses implements AutoCloseable {
    private static final int MOST = 8;
    private static final List<ClientProcess> IDLE = new ArrayList<>();
    private static int wanted;

    private boolean closed;

    private IdleClientProcesses() {}

    /**
     * Keeps processes from now on, until this and all other pools are closed.
     *
     * @return a pool; the caller closes it
     */
    public static IdleClientProcesses keep() {
        synchronized (IDLE) {
            wanted++;
            return new IdleClientProcesses();
        }
    }

    /** One that was started with this command and still runs. */
    static Optional<ClientProcess> take(List<String> command) {
        synchronized (IDLE) {
            Optional<ClientProcess> found = IDLE.stream()
                    .filter(process ->
                            process.command().equals(command) && process.child().alive())
                    .findFirst();
            found.ifPresent(IDLE::remove);
            return found;
        }
    }

    /** Keeps the process for the next client. Returns false if no pool is open or there are enough processes. */
    static boolean put(ClientProcess process) {
        synchronized (IDLE) {
            return wanted > 0 && IDLE.size() < MOST && IDLE.add(process);
        }
    }

    /** Ends the idle processes, unless another pool still keeps them. Idempotent. */
    @Override
    public void close() {
        List<ClientProcess> ending;
        synchronized (IDLE) {
            if (closed) {
                return;
            }
            closed = true;
            wanted--;
            if (wanted > 0) {
                return;
            }
            ending = List.copyOf(IDLE);
            IDLE.clear();
        }
        ending.forEach(ClientProcess::end);
    }
}
