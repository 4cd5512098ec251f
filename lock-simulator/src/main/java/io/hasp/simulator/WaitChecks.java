package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Arrays;

/** Waits end in time, and with the truth: empty only if others hold the lock, unavailable only in an outage. */
final class WaitChecks {
    private static final long SLACK = Duration.ofMillis(50).toNanos();
    private static final long OLDEST_EVIDENCE =
            Configuration.POLL.plus(Configuration.COMMAND_TIMEOUT).toNanos();
    private static final Duration SHORT_WAIT = Duration.ofMillis(400);
    private static final long LAST_LOOK = Duration.ofSeconds(1).toNanos();
    private static final long NEVER = Long.MIN_VALUE;

    private final SimulationRun run;
    private final LeaseChecks leases;
    /** By client and name: when the server refused it, and when it was known to hold it itself. */
    private final long[][] refusedAt;

    private final long[][] heldAt;
    /** Releases that are not answered, by client and name. */
    private final int[][] releasing;

    WaitChecks(SimulationRun run, LeaseChecks leases, Configuration configuration) {
        this.run = run;
        this.leases = leases;
        refusedAt = never(configuration.clients(), configuration.names());
        heldAt = never(configuration.clients(), configuration.names());
        releasing = new int[configuration.clients() + 1][configuration.names()];
    }

    private static long[][] never(int clients, int names) {
        long[][] all = new long[clients + 1][names];
        for (long[] one : all) {
            Arrays.fill(one, NEVER);
        }
        return all;
    }

    /** The client heard an answer to a request for a lock. */
    void answered(int client, Claim claim, Attempt attempt) {
        int name = SimulatedClient.nameOf(claim.name().value());
        if (attempt instanceof Attempt.Busy) {
            refusedAt[client][name] = run.now();
        } else if (attempt instanceof Attempt.Granted) {
            heldAt[client][name] = run.now();
        }
    }

    /** The client asks for a release, or hears of one. */
    void releases(int client, LockName lock, int more) {
        releasing[client][SimulatedClient.nameOf(lock.value())] += more;
    }

    void held(int client, int name) {
        heldAt[client][name] = run.now();
    }

    /** A caller that does not wait may find the lock with another of its client, which may lose it at this very moment. */
    void joins(SimulatedCaller caller) {
        if (caller.wait.isZero() && leases.heldByClient(caller)) {
            held(caller.client.index, caller.name);
        }
    }

    /** A caller was told that others hold the lock. */
    void empty(SimulatedCaller caller) {
        int client = caller.client.index;
        long evidence = Math.max(refusedAt[client][caller.name], heldAt[client][caller.name]);
        boolean held = leases.heldByClient(caller);
        if (!held && !caller.disturbed && evidence < oldestEvidence(caller)) {
            throw run.violated(
                    "empty means contended",
                    caller + " was told that others hold " + run.name(caller.name) + ", and no answer says so");
        }
    }

    /**
     * The server is asked once more when half of the wait is left, or a second, unless a release of the client is unanswered. In a
     * short wait, who stands behind another caller goes by what that one learned last, at most a poll and an attempt before.
     */
    private long oldestEvidence(SimulatedCaller caller) {
        if (caller.wait.isZero()) {
            return caller.joinedAt;
        } else if (caller.wait.compareTo(SHORT_WAIT) < 0 || releasing[caller.client.index][caller.name] > 0) {
            return caller.joinedAt - OLDEST_EVIDENCE;
        }
        long wait = caller.wait.toNanos();
        return caller.joinedAt + wait - Math.min(wait / 2, LAST_LOOK);
    }

    /** A wait for the lock failed: an outage is waited out for as long as the caller and the client wait. */
    void failed(SimulatedCaller caller, BackendUnavailableException why) {
        unavailable(caller, why);
        long least = Math.min(caller.wait.toNanos(), Configuration.UNAVAILABLE_AFTER.toNanos());
        boolean outage =
                why.kind() == BackendUnavailableException.Kind.UNAVAILABLE && !caller.client.backend.ranOutOfMemory;
        if (outage && run.now() - caller.joinedAt < least) {
            throw run.violated("an outage is waited out", caller + " failed early: " + why);
        }
    }

    /** A call failed as if the service did not answer. */
    void unavailable(Object who, Throwable why) {
        if (!run.failuresExpected) {
            throw run.violated("only an outage is one", who + " failed, and every request was answered: " + why);
        }
    }

    /** A caller has given up: who is behind it asks now, and waits for the answer to that. */
    void leaves(SimulatedCaller caller) {
        for (SimulatedCaller other : caller.client.callers) {
            if (other != caller && other.isLate(caller.name)) {
                other.moreRequests++;
            }
        }
    }

    /** The client heard that a grant of its was lost before, or that a holder can't get one any more: it asks under another id. */
    void asksAnew(int client, LockName lock) {
        int name = SimulatedClient.nameOf(lock.value());
        for (SimulatedClient each : run.clients) {
            for (SimulatedCaller caller : each.callers) {
                if (each.index == client && caller.isLate(name)) {
                    caller.moreRequests++;
                }
            }
        }
    }

    /** The client heard that a release found nothing; that of a lease lets the next one ask. */
    void foundNothing(int client, LockName lock, HolderId holder) {
        for (SimulatedClient each : run.clients) {
            if (each.index == client && each.callers.stream().anyMatch(caller -> caller.has(holder))) {
                asksAnew(client, lock);
                return;
            }
        }
    }

    /**
     * A wait ends with the answer to the request that is under way at its end, or to the one that follows from it. For a client
     * that was disturbed later the end of that counts.
     */
    void inTime(SimulatedCaller caller) {
        SimulatedClient client = caller.client;
        if (caller.wait.equals(SimulatedCaller.FOREVER) || client.executor.mode != SimulatedExecutor.Mode.TAKES) {
            return;
        }
        long end = caller.joinedAt + caller.wait.toNanos();
        long latest = caller.disturbed ? Math.max(end, client.recoveredAt()) : end;
        int requests = (run.configuration.oneFlight() ? 1 : 2) * (1 + caller.moreRequests);
        if (run.now() > latest + requests * Configuration.COMMAND_TIMEOUT.toNanos() + SLACK) {
            throw run.violated(
                    "waits end in time",
                    caller + " waited " + Duration.ofNanos(run.now() - caller.joinedAt) + " of " + caller.wait);
        }
    }
}
