package io.hasp.evaluation.process;

import io.hasp.evaluation.servers.Environment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All client processes of a comparison: those that all subjects share, one more for work of a single process, and one
 * for each subject that needs a process of its own.
 */
public final class ProcessPool implements AutoCloseable {
    private final int size;
    private final Environment environment;
    private final List<String> subjects;
    private final Map<String, ClientProcesses> alone = new LinkedHashMap<>();
    private ClientProcesses common;

    private ProcessPool(int size, Environment environment, List<String> subjects) throws InterruptedException {
        this.size = size;
        this.environment = environment;
        this.subjects = List.copyOf(subjects);
        this.common = ClientProcesses.start(size + 1, environment, subjects);
    }

    /**
     * Starts the processes that all subjects share.
     *
     * @param size how many work together; none if all work is done by one process
     * @param environment where the servers are
     * @param subjects who takes part
     * @return processes that are ready, ended by closing this
     * @throws IllegalStateException if no lock can connect, with what one says
     * @throws InterruptedException if the thread was interrupted
     */
    public static ProcessPool start(int size, Environment environment, List<String> subjects)
            throws InterruptedException {
        return new ProcessPool(size, environment, subjects);
    }

    /**
     * Ends all processes and starts others in their place.
     *
     * @throws IllegalStateException if no lock can connect, with what one says
     * @throws InterruptedException if the thread was interrupted
     */
    public void renew() throws InterruptedException {
        close();
        alone.clear();
        common = ClientProcesses.start(size + 1, environment, subjects);
    }

    ClientProcesses common() {
        return common;
    }

    /** A process that one subject has for itself, started when it is first needed. */
    ClientProcesses of(String subject) throws InterruptedException {
        ClientProcesses processes = alone.get(subject);
        if (processes == null) {
            processes = ClientProcesses.start(1, environment, List.of(subject));
            alone.put(subject, processes);
        }
        return processes;
    }

    @Override
    public void close() {
        alone.values().forEach(ClientProcesses::close);
        common.close();
    }
}
