package io.hasp.redis;

import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Prolongs grants, many in one call. */
record Renewals(Scripts scripts, Keys keys) {
    /** A hundred in one script block the server for about 0.4 ms. */
    private static final int BATCH = 100;

    CompletionStage<List<Renewal>> renew(List<Grant> held) {
        CompletionStage<List<Renewal>> all = CompletableFuture.completedStage(List.of());
        for (int from = 0; from < held.size(); from += BATCH) {
            List<Grant> batch = held.subList(from, Math.min(from + BATCH, held.size()));
            all = all.thenCombine(renewBatch(batch), Renewals::concat);
        }
        return all;
    }

    private CompletionStage<List<Renewal>> renewBatch(List<Grant> batch) {
        List<String> locks = new ArrayList<>(2 * batch.size());
        List<String> arguments = new ArrayList<>(2 * batch.size());
        for (Grant grant : batch) {
            String lock = keys.lock(grant.claim().name());
            locks.add(lock);
            locks.add(Keys.counter(lock));
            arguments.add(grant.claim().holder().value());
            arguments.add(Long.toString(Leases.of(grant.claim()).toMillis()));
        }
        return scripts.run(Script.RENEW, locks, arguments).handle((reply, failure) -> {
            List<Renewal> renewals = new ArrayList<>(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                renewals.add(
                        failure == null
                                ? renewal(batch.get(i), reply.charAt(i))
                                : new Renewal.Unknown(
                                        Failures.of(scripts.connection().server(), "renewal", failure)));
            }
            return renewals;
        });
    }

    private static Renewal renewal(Grant grant, char reply) {
        return switch (reply) {
            case '1' -> new Renewal.Renewed(Leases.of(grant.claim()));
            case '0' -> new Renewal.Lost("the server keeps it for another holder, or for nobody");
            default -> new Renewal.Lost("its key now holds something that is not a lock");
        };
    }

    private static List<Renewal> concat(List<Renewal> first, List<Renewal> second) {
        List<Renewal> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }
}
