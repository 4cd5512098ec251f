package io.hasp.simulator;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Tells the checks what one client asks and hears, and keeps what the client still has to do about it. */
final class BackendMonitor {
    private static final long TOO_LATE = Duration.ofMillis(10).toNanos();

    final PendingSignals pendingSignals = new PendingSignals();
    final OutstandingReleases outstanding = new OutstandingReleases();
    /** The holders of whose grants the client has heard. */
    private final Set<HolderId> granted = new HashSet<>();
    /** How often the backend had gone away or come back for a holder when it asked for a lock. */
    private final Map<HolderId, Integer> askedAt = new HashMap<>();

    private final int client;
    private final SimulationRun run;
    private final InvariantChecks checks;

    BackendMonitor(int client, SimulationRun run) {
        this.client = client;
        this.run = run;
        this.checks = run.checks;
    }

    /** The client requests a lock. */
    void asks(Claim claim) {
        checks.leases.asks(claim.holder());
        outstanding.asks(claim.holder());
        askedAt.put(claim.holder(), pendingSignals.interruptions(claim.holder()));
        if (claim.queue()) {
            pendingSignals.asks(claim.holder());
        }
    }

    /** The client hears the reply to a request that counts from the given time. */
    void answered(Claim claim, long sentAt, Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted
                && run.now() - sentAt >= granted.grant().validity().toNanos() - TOO_LATE) {
            // A grant that comes too late to be of use counts as a failure.
            run.failuresExpected = true;
        }
        checks.waits.answered(client, claim, attempt);
        pendingSignals.answered(claim.holder());
        if (attempt instanceof Attempt.Granted || (attempt instanceof Attempt.Busy && claim.queue())) {
            outstanding.add(claim.holder());
        } else {
            outstanding.remove(claim.holder());
        }
        boolean lostSince = checks.leases.wasLostSinceReply(claim.holder());
        boolean lost = attempt instanceof Attempt.Granted && (checks.leases.isLost(claim.holder()) || lostSince);
        if (attempt instanceof Attempt.Granted) {
            granted.add(claim.holder());
            checks.keeps.confirmed(claim.holder());
            if (claim.keeps()) {
                pendingSignals.keeps(claim.holder());
            }
        }
        if (lost || attempt instanceof Attempt.Gone) {
            checks.waits.asksAnew(client, claim.name());
        }
        boolean restored = pendingSignals.restoredSinceAsked(claim.holder());
        if (!(attempt instanceof Attempt.Busy)) {
            pendingSignals.forget(claim.holder());
        }
        boolean outdated = pendingSignals.interruptions(claim.holder()) > askedAt.getOrDefault(claim.holder(), 0);
        if (attempt instanceof Attempt.Granted && outdated) {
            pendingSignals.grantedBefore(claim.holder(), restored);
        }
    }

    /** The client hears that a request for a lock failed. */
    void notAnswered(Claim claim, BackendFailure why) {
        pendingSignals.forget(claim.holder());
        if (why.outcome() == BackendFailure.Outcome.UNKNOWN) {
            outstanding.add(claim.holder());
        }
    }

    /** The client releases a holder. */
    void releases(HolderId holder) {
        if (!outstanding.release(holder)) {
            throw checks.ends.releasedInVain(client, holder);
        }
        checks.ends.withdrawn(client, holder);
        checks.closing.releases(client, holder);
        pendingSignals.forget(holder);
    }

    /** The reply to a release. The release counts as unanswered until this is complete. */
    CompletableFuture<Released> releaseReply(LockName name) {
        CompletableFuture<Released> reply = new CompletableFuture<>();
        checks.waits.releases(client, name, 1);
        reply.whenComplete((found, why) -> checks.waits.releases(client, name, -1));
        return reply;
    }

    /** The client hears what a release found. */
    void released(HolderId holder, LockName name, Released found) {
        checks.ends.found(holder, found);
        if (found == Released.RELEASED) {
            // The holder had the lock until then, as the server says.
            checks.waits.held(client, SimulatedClient.nameOf(name.value()));
        } else if (granted.contains(holder)) {
            // Perhaps the end of a lease, which the next caller has waited for: it asks now.
            checks.waits.asksAnew(client, name);
        }
    }

    /** The client sends renewals. */
    void renews(List<Grant> held) {
        mayLower(held);
        for (Grant grant : held) {
            if (pendingSignals.unconfirmed(grant.claim().holder())) {
                checks.leases.stillDoubted(grant.claim().holder());
            }
            pendingSignals.renews(grant.claim().holder());
            if (!grant.claim().keeps()) {
                pendingSignals.keepsNot(grant.claim().holder());
            }
        }
    }

    private void mayLower(List<Grant> held) {
        for (Grant grant : held) {
            if (!grant.claim().share().isExclusive()) {
                checks.waits.renews(client, grant.claim().name());
            }
        }
    }

    /** The client hears the replies to renewals. */
    void renewed(List<Grant> held, List<Renewal> renewals) {
        mayLower(held);
        for (int i = 0; i < held.size(); i++) {
            Claim claim = held.get(i).claim();
            if (renewals.get(i) instanceof Renewal.Unknown) {
                pendingSignals.notRenewed(claim.holder());
            } else {
                pendingSignals.renewed(claim.holder());
            }
            if (renewals.get(i) instanceof Renewal.Renewed) {
                checks.keeps.confirmed(claim.holder());
            } else if (renewals.get(i) instanceof Renewal.Lost) {
                checks.waits.held(client, SimulatedClient.nameOf(claim.name().value()));
                checks.leases.denied(claim.holder());
            }
        }
    }

    List<Integer> interruptions(List<Grant> held) {
        return held.stream()
                .map(grant -> pendingSignals.interruptions(grant.claim().holder()))
                .toList();
    }

    /** What is left of the leases whose renewals were asked for before the backend went away or was there again; for ever for others. */
    List<Duration> outdated(List<Grant> held, List<Integer> interruptions) {
        List<Duration> left = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            HolderId holder = held.get(i).claim().holder();
            boolean outdated = pendingSignals.interruptions(holder) != interruptions.get(i);
            left.add(outdated ? checks.leases.remaining(holder) : SimulatedCaller.FOREVER);
        }
        return left;
    }

    /** The client has heard the replies to such renewals, which may be those of a former server. */
    void confirmedNothing(List<Grant> held, List<Duration> before) {
        for (int i = 0; i < held.size(); i++) {
            checks.leases.noLonger(held.get(i).claim().holder(), before.get(i));
        }
    }

    /** The client hears that its renewals failed. */
    void notRenewed(List<Grant> held) {
        held.forEach(grant -> pendingSignals.notRenewed(grant.claim().holder()));
    }

    /** The client is about to hear a signal. */
    void signalled(HolderId holder, LockName name, Signal signal) {
        switch (signal) {
            case MAYBE_FREE -> pendingSignals.mayBeFree(holder);
            case RESTORED -> pendingSignals.restored(holder, checks.leases.doubted(holder));
            case LOST -> checks.waits.held(client, SimulatedClient.nameOf(name.value()));
            case WANTED -> {
                outstanding.recalled(holder);
                pendingSignals.wanted(holder);
            }
            case SUSPECT ->
                pendingSignals.away(holder, !checks.leases.leasesOf(holder).isEmpty());
        }
    }

    /** The client has heard a signal, and must have taken it into account. */
    void heard(HolderId holder, Signal signal) {
        if (signal == Signal.LOST) {
            checks.leases.denied(holder);
        } else if (signal == Signal.SUSPECT || signal == Signal.RESTORED) {
            checks.leases.suspected(holder);
        }
    }
}
