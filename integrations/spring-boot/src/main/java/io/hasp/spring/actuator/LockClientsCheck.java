package io.hasp.spring.actuator;

import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Checks that the service of each client still gives locks, by an attempt to take one. A lock held by another client is
 * a valid answer, too. For the health indicators of both generations of Spring Boot. Thread-safe.
 */
public final class LockClientsCheck {
    /** Its events reach no listener of the clients of {@code hasp.*}. */
    static final String LOCK = "hasp/health";

    private static final String ANSWERS = "answers";

    private final Map<String, LockClient> clients;
    private final Map<String, LeaderElection> elections;

    /**
     * Creates a check of these clients.
     *
     * @param clients by the names of their beans
     */
    public LockClientsCheck(Map<String, LockClient> clients) {
        this(clients, Map.of());
    }

    /**
     * Creates a check of these clients that also reports who leads.
     *
     * @param clients by the names of their beans
     * @param elections by the names of their beans; a candidate that does not lead is no failure
     */
    public LockClientsCheck(Map<String, LockClient> clients, Map<String, LeaderElection> elections) {
        this.clients = Map.copyOf(clients);
        this.elections = Map.copyOf(elections);
    }

    /**
     * The result of a check.
     *
     * @param up true if all services answered
     * @param details {@code answers} or the failure, by the names of the clients; then whether the candidate leads, by the names
     *     of the elections
     */
    public record Result(boolean up, Map<String, String> details) {}

    /**
     * Checks all services at the same time. Blocks for up to the longest of their command timeouts.
     *
     * @return the result
     */
    public Result run() {
        Map<String, CompletableFuture<String>> asked = new LinkedHashMap<>();
        clients.forEach((name, client) -> asked.put(name, ask(client)));
        Map<String, String> details = new LinkedHashMap<>();
        asked.forEach((name, answer) -> details.put(name, answer.join()));
        boolean up = details.values().stream().allMatch(ANSWERS::equals);
        elections.forEach((name, election) -> details.put(name, leads(election)));
        return new Result(up, details);
    }

    private static String leads(LeaderElection election) {
        return election.term()
                .map(term -> "leads election '" + election.name() + "' with token " + term.fencingToken())
                .orElseGet(() -> "does not lead election '" + election.name() + "'");
    }

    private static CompletableFuture<String> ask(LockClient client) {
        try {
            return client.lock(LOCK).tryAcquireAsync(Duration.ZERO).handle((lease, failure) -> {
                if (failure != null) {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                    return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
                }
                lease.ifPresent(Lease::releaseAsync);
                return ANSWERS;
            });
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(String.valueOf(e.getMessage()));
        }
    }
}
