package io.hasp.evaluation.process;

import io.hasp.evaluation.servers.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All client processes of a comparison. */
public final class Fleets implements AutoCloseable {
    private final Setting setting;
    private final Optional<Fleet> common;
    private final Map<String, Fleet> alone = new LinkedHashMap<>();

    private Fleets(Setting setting, Optional<Fleet> common) {
        this.setting = setting;
        this.common = common;
    }

    /**
     * Starts the processes that all subjects share.
     *
     * @param size how many; none if all work is done by one process
     * @param setting where the servers are
     * @param subjects who takes part
     * @return processes that are ready, ended by closing this
     * @throws IllegalStateException if one can't connect, with what it says
     * @throws InterruptedException if the thread was interrupted
     */
    public static Fleets start(int size, Setting setting, List<String> subjects) throws InterruptedException {
        return new Fleets(setting, size == 0 ? Optional.empty() : Optional.of(Fleet.start(size, setting, subjects)));
    }

    Fleet common() {
        return common.orElseThrow();
    }

    /** One process that belongs to one subject, started when it is needed first. */
    Fleet of(String subject) throws InterruptedException {
        Fleet fleet = alone.get(subject);
        if (fleet == null) {
            fleet = Fleet.start(1, setting, List.of(subject));
            alone.put(subject, fleet);
        }
        return fleet;
    }

    @Override
    public void close() {
        alone.values().forEach(Fleet::close);
        common.ifPresent(Fleet::close);
    }
}
