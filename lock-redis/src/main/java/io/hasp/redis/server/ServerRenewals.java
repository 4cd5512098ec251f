package io.hasp.redis.server;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.ServerLease;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Prolongs grants on one server, in as few calls as possible. */
public record ServerRenewals(ScriptRunner scripts, LockKeys keys, Timing timing) {

    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return new BisectingRenewals(scripts.server(), timing, this::ask).renew(held);
    }

    private CompletionStage<List<Renewal>> ask(List<Grant> held) {
        List<String> locks = new ArrayList<>(2 * held.size());
        List<String> arguments = new ArrayList<>(2 * held.size());
        for (Grant grant : held) {
            String lock = keys.lock(grant.claim().name());
            locks.add(lock);
            locks.add(LockKeys.counter(lock));
            arguments.add(grant.claim().holder().value());
            arguments.add(Long.toString(ServerLease.of(grant.claim()).toMillis()));
        }
        return scripts.run(LockScript.RENEW, locks, arguments).thenApply(reply -> renewals(held, reply));
    }

    private List<Renewal> renewals(List<Grant> held, String reply) {
        List<Renewal> renewals = new ArrayList<>(held.size());
        for (int i = 0; i < held.size(); i++) {
            renewals.add(renewal(held.get(i), reply.charAt(i)));
        }
        return renewals;
    }

    private Renewal renewal(Grant grant, char reply) {
        return switch (reply) {
            case '1' -> new Renewal.Renewed(ServerLease.of(grant.claim()));
            case '0' -> new Renewal.Lost("the server keeps it for another holder, or for nobody");
            default ->
                new Renewal.Lost(
                        "its key " + keys.lock(grant.claim().name()) + " now holds something that is not a lock");
        };
    }
}
