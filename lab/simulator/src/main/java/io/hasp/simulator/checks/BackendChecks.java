package io.hasp.simulator.checks;

import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.network.BackendMonitor;
import io.hasp.simulator.world.World;
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

/** Passes the requests and replies of one client on to the checks, and keeps what the client still has to do about them. */
final class BackendChecks implements BackendMonitor {
    private static final long TOO_LATE = Duration.ofMillis(10).toNanos();

    final PendingSignals pendingSignals = new PendingSignals();
    final OutstandingReleases outstanding = new OutstandingReleases();
    /** The holders whose grants the client has received. */
    private final Set<HolderId> granted = new HashSet<>();
    /** The number of times that the backend had gone away or come back for a holder when it requested a lock. */
    private final Map<HolderId, Integer> askedAt = new HashMap<>();

    private final int client;
    private final World world;
    private final InvariantChecks checks;

    BackendChecks(int client, World world, InvariantChecks checks) {
        this.client = client;
        this.world = world;
        this.checks = checks;
    }

    @Override
    public void asks(Claim claim) {
        checks.leases.asks(claim.holder());
        outstanding.asks(claim.holder());
        askedAt.put(claim.holder(), pendingSignals.interruptions(claim.holder()));
        if (claim.queue()) {
            pendingSignals.asks(claim.holder());
        }
    }

    @Override
    public void answered(Claim claim, long sentAt, Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted
                && world.now() - sentAt >= granted.grant().validity().toNanos() - TOO_LATE) {
            // A grant that comes too late to be of use counts as a failure.
            world.expectFailures();
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

    @Override
    public void answeredAgain(Claim claim, Attempt attempt) {
        checks.waits.answered(client, claim, attempt);
    }

    @Override
    public void mayBeOnServer(HolderId holder) {
        outstanding.add(holder);
    }

    @Override
    public void notReleased(HolderId holder) {
        outstanding.notReleased(holder);
    }

    @Override
    public void notAnswered(Claim claim, BackendFailure why) {
        pendingSignals.forget(claim.holder());
        if (why.outcome() == BackendFailure.Outcome.UNKNOWN) {
            outstanding.add(claim.holder());
        }
    }

    @Override
    public void releases(HolderId holder) {
        if (!outstanding.release(holder)) {
            throw checks.ends.releasedInVain(client, holder);
        }
        checks.ends.withdrawn(client, holder);
        checks.closing.releases(client, holder);
        pendingSignals.forget(holder);
    }

    @Override
    public CompletableFuture<Released> releaseReply(LockName name) {
        CompletableFuture<Released> reply = new CompletableFuture<>();
        checks.waits.releases(client, name, 1);
        reply.whenComplete((found, why) -> checks.waits.releases(client, name, -1));
        return reply;
    }

    @Override
    public void released(HolderId holder, LockName name, Released found) {
        outstanding.released(holder);
        checks.ends.found(holder, found);
        if (found == Released.RELEASED) {
            // The holder had the lock until then, as the server says.
            checks.waits.held(client, SimulatedClient.nameOf(name.value()));
        } else if (granted.contains(holder)) {
            // Perhaps the end of a lease, for which the next caller has waited: it makes a request now.
            checks.waits.asksAnew(client, name);
        }
    }

    @Override
    public void renews(List<Grant> held) {
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

    @Override
    public void renewed(List<Grant> held, List<Renewal> renewals) {
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

    @Override
    public List<Integer> interruptions(List<Grant> held) {
        return held.stream()
                .map(grant -> pendingSignals.interruptions(grant.claim().holder()))
                .toList();
    }

    @Override
    public List<Duration> outdated(List<Grant> held, List<Integer> interruptions) {
        List<Duration> left = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            HolderId holder = held.get(i).claim().holder();
            boolean outdated = pendingSignals.interruptions(holder) != interruptions.get(i);
            left.add(outdated ? checks.leases.remaining(holder) : SimulatedCaller.FOREVER);
        }
        return left;
    }

    @Override
    public void confirmedNothing(List<Grant> held, List<Duration> before) {
        for (int i = 0; i < held.size(); i++) {
            checks.leases.noLonger(held.get(i).claim().holder(), before.get(i));
        }
    }

    @Override
    public void notRenewed(List<Grant> held) {
        held.forEach(grant -> pendingSignals.notRenewed(grant.claim().holder()));
    }

    @Override
    public void signalled(HolderId holder, LockName name, Signal signal) {
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

    @Override
    public void heard(HolderId holder, Signal signal) {
        if (signal == Signal.LOST) {
            checks.leases.denied(holder);
        } else if (signal == Signal.SUSPECT || signal == Signal.RESTORED) {
            checks.leases.suspected(holder);
        }
    }
}
