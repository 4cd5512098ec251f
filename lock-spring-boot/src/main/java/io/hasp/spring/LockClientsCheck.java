package io.hasp.spring;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks the service of each client whether it still gives locks, by an attempt to take one. That another has it is an answer, too.
 * For the health indicators of both generations of Spring Boot. Thread-safe.
 */
public final class LockClientsCheck {
    private static final String LOCK = "hasp/health";

    private final Map<String, LockClient> clients;

    /**
     * Of these clients.
     *
     * @param clients by the names of their beans
     */
    public LockClientsCheck(Map<String, LockClient> clients) {
        this.clients = Map.copyOf(clients);
    }

    /**
     * What came out.
     *
     * @param up whether all services answered
     * @param details {@code answers} or what is wrong, by the names of the clients
     */
    public record Result(boolean up, Map<String, String> details) {}

    /**
     * Asks all of them, one after the other. Blocks for up to the command timeout of each.
     *
     * @return what came out
     */
    public Result run() {
        Map<String, String> details = new LinkedHashMap<>();
        boolean up = true;
        for (Map.Entry<String, LockClient> each : clients.entrySet()) {
            try {
                each.getValue().lock(LOCK).tryAcquire().ifPresent(Lease::close);
                details.put(each.getKey(), "answers");
            } catch (LockException e) {
                up = false;
                details.put(each.getKey(), String.valueOf(e.getMessage()));
            }
        }
        return new Result(up, details);
    }
}
