package io.hasp.evaluation.process;

import io.hasp.evaluation.servers.Environment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All client processes of a comparison. */
public final class ProcessPool implements AutoCloseable {
    private final Environment environment;
    private final Optional<ClientProcesses> common;
    private final Map<String, ClientProcesses> alone = new LinkedHashMap<>();

    private ProcessPool(Environment environment, Optional<ClientProcesses> common) {
        this.environment = environment;
        this.common = common;
    }

    /**
     * Starts the processes that all subjects share.
     *
     * @param size how many; none if all work is done by one process
     * @param environment where the servers are
     * @param subjects who takes part
     * @return processes that are ready, ended by closing this
     * @throws IllegalStateException if one can't connect, with what it says
     * @throws InterruptedException if the thread was interrupted
     */
    public static ProcessPool start(int size, Environment environment, List<String> subjects)
            throws InterruptedException {
        return new ProcessPool(
                environment,
                size == 0 ? Optional.empty() : Optional.of(ClientProcesses.start(size, environment, subjects)));
    }

    ClientProcesses common() {
        return common.orElseThrow();
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
        common.ifPresent(ClientProcesses::close);
    }
}
