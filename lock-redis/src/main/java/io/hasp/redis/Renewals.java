package io.hasp.redis;

import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Prolongs grants, all of them in one call. */
record Renewals(Scripts scripts, Keys keys) {

    CompletionStage<List<Renewal>> renew(List<Grant> held) {
        List<String> locks = new ArrayList<>(2 * held.size());
        List<String> arguments = new ArrayList<>(2 * held.size());
        for (Grant grant : held) {
            String lock = keys.lock(grant.claim().name());
            locks.add(lock);
            locks.add(Keys.counter(lock));
            arguments.add(grant.claim().holder().value());
            arguments.add(Long.toString(Leases.of(grant.claim()).toMillis()));
        }
        return scripts.run(Script.RENEW, locks, arguments).handle((reply, failure) -> {
            List<Renewal> renewals = new ArrayList<>(held.size());
            for (int i = 0; i < held.size(); i++) {
                renewals.add(
                        failure == null
                                ? renewal(held.get(i), reply.charAt(i))
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
}
