package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import java.time.Duration;

/** Faults of an engine, each made by what one collaborator, the backend that it talks through, does to its calls. */
final class BrokenEngines {

    private BrokenEngines() {}

    /** A watchdog that is not notified of a release: it never stops renewing a grant. */
    static ScriptedBackend watchdogAfterRelease(BackendSource real) {
        ScriptedBackend mutant = new ScriptedBackend(real);
        mutant.onAcquire = (claim, call) -> call.get().thenApply(attempt -> {
            if (attempt instanceof Attempt.Granted granted) {
                keepRenewing(mutant, granted.grant());
            }
            return attempt;
        });
        return mutant;
    }

    private static void keepRenewing(ScriptedBackend mutant, Grant grant) {
        mutant.timing().schedule(grant.validity().dividedBy(3), () -> {
            var unused = mutant.renew(java.util.List.of(grant));
            keepRenewing(mutant, grant);
        });
    }

    /** A deadline that counts from the reply instead of the request. */
    static ScriptedBackend deadlineFromReply(BackendSource real) {
        ScriptedBackend mutant = new ScriptedBackend(real);
        mutant.onAcquire = (claim, call) -> {
            long sentAt = mutant.timing().nanoTime();
            return call.get()
                    .thenApply(attempt -> attempt instanceof Attempt.Granted granted
                            ? countedFrom(granted.grant(), mutant.timing().nanoTime() - sentAt)
                            : attempt);
        };
        return mutant;
    }

    private static Attempt countedFrom(Grant grant, long nanosLater) {
        return new Attempt.Granted(grant.withValidity(grant.validity().plusNanos(nanosLater)));
    }

    /** A wait that relies on its notification alone. */
    static ScriptedBackend noFallbackPoll(BackendSource real) {
        ScriptedBackend mutant = new ScriptedBackend(real);
        mutant.onAcquire = (claim, call) -> call.get()
                .thenApply(
                        attempt -> attempt instanceof Attempt.Busy ? new Attempt.Busy(Duration.ofDays(365)) : attempt);
        return mutant;
    }

    /** An owner that is the thread, not the acquisition. */
    static ScriptedBackend ownerPerThread(BackendSource real) {
        ScriptedBackend mutant = new ScriptedBackend(real);
        mutant.asked = claim ->
                claim.withHolder(new HolderId("thread-" + Thread.currentThread().getId()));
        mutant.onAcquire = (claim, call) -> call.get()
                .thenApply(attempt -> attempt instanceof Attempt.Granted granted
                        ? new Attempt.Granted(granted.grant().withClaim(claim))
                        : attempt);
        return mutant;
    }
}
