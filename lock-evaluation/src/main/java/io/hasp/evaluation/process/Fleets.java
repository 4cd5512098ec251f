package io.hasp.evaluation.process;

import io.hasp.evaluation.subject.Addresses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All client processes of a comparison. */
public final class Fleets implements AutoCloseable {
    private final Addresses addresses;
    private final Optional<Fleet> common;
    private final Map<String, Fleet> alone = new LinkedHashMap<>();

    private Fleets(Addresses addresses, Optional<Fleet> common) {
        this.addresses = addresses;
        this.common = common;
    }

    /**
     * Starts the processes that all subjects share.
     *
     * @param size how many; none if all work is done by one process
     * @param addresses where the servers are
     * @param subjects who takes part
     * @return processes that are ready, ended by closing this
     * @throws IllegalStateException if one can't connect, with what it says
     * @throws InterruptedException if the thread was interrupted
     */
    public static Fleets start(int size, Addresses addresses, List<String> subjects) throws InterruptedException {
        return new Fleets(
                addresses, size == 0 ? Optional.empty() : Optional.of(Fleet.start(size, addresses, subjects)));
    }

    Fleet common() {
        return common.orElseThrow();
    }

    /** One process that belongs to one subject, started when it is needed first. */
    Fleet of(String subject) throws InterruptedException {
        Fleet fleet = alone.get(subject);
        if (fleet == null) {
            fleet = Fleet.start(1, addresses, List.of(subject));
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
