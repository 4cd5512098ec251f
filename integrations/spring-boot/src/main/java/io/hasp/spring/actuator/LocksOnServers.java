package io.hasp.spring.actuator;

import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.LockView;
import io.hasp.UnsupportedCapabilityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads one lock from the service of each client: the holders and waiters of all processes. Thread-safe. */
public final class LocksOnServers {
    /** A listing for people needs no more. */
    private static final int MOST_WAITERS = 100;

    private final Map<String, LockClient> clients;

    /**
     * Reads through these clients.
     *
     * @param clients by the names of their beans
     */
    public LocksOnServers(Map<String, LockClient> clients) {
        this.clients = Map.copyOf(clients);
    }

    /**
     * The lock on one service. All times are by the clock of the server.
     *
     * @param client the name of the client's bean
     * @param failure the reason why the lock could not be read; null if it was read
     * @param kind the kind of the lock; null if no client holds it or waits for it
     * @param waiters in the order in which they are served, at most a hundred
     * @param waiting the number of all waiters
     * @param newestToken the fencing token of the latest grant; null if the server remembers none
     * @param readAt the moment of this view
     * @param nodes the servers that vote, for Redlock
     */
    public record OnServer(
            String client,
            @Nullable String failure,
            LockView.@Nullable Kind kind,
            List<Holder> holders,
            List<Waiter> waiters,
            int waiting,
            @Nullable String newestToken,
            @Nullable Instant readAt,
            List<Node> nodes) {}

    /**
     * A holder.
     *
     * @param fencingToken as a text, because readers of JSON round numbers of this size
     * @param since null if unknown
     * @param millisecondsLeft null if the lock lasts as long as a session
     */
    public record Holder(
            String label,
            String fencingToken,
            int permits,
            LockView.Use use,
            @Nullable Instant since,
            @Nullable Long millisecondsLeft) {}

    /**
     * A waiter.
     *
     * @param since null if unknown
     */
    public record Waiter(
            String label,
            int permits,
            LockView.Use use,
            @Nullable Instant since) {}

    /**
     * A server that votes.
     *
     * @param failure null if it answered
     */
    public record Node(String address, @Nullable String failure, List<Holder> holders) {}

    /**
     * Reads a lock from all services at the same time. Blocks for up to the longest of their command timeouts.
     *
     * @throws InvalidArgumentException if the name breaks its rule
     */
    List<OnServer> find(String name) {
        Map<String, CompletableFuture<OnServer>> asked = new TreeMap<>();
        clients.forEach((bean, client) -> {
            client.lock(name);
            asked.put(bean, CompletableFuture.supplyAsync(() -> find(bean, client, name), LocksOnServers::start));
        });
        List<OnServer> found = new ArrayList<>();
        asked.values().forEach(answer -> found.add(answer.join()));
        return found;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "hasp-endpoint");
        thread.setDaemon(true);
        thread.start();
    }

    private static OnServer find(String bean, LockClient client, String name) {
        try {
            return client.inspector().lock(name).map(lock -> shown(bean, lock)).orElseGet(() -> empty(bean, null));
        } catch (LockException | UnsupportedCapabilityException e) {
            return empty(bean, String.valueOf(e.getMessage()));
        }
    }

    private static OnServer empty(String bean, @Nullable String failure) {
        return new OnServer(bean, failure, null, List.of(), List.of(), 0, null, null, List.of());
    }

    private static OnServer shown(String bean, LockView lock) {
        return new OnServer(
                bean,
                null,
                lock.kind(),
                holders(lock.holders()),
                lock.waiters().stream()
                        .limit(MOST_WAITERS)
                        .map(waiter -> new Waiter(
                                waiter.label(),
                                waiter.permits(),
                                waiter.use(),
                                waiter.since().orElse(null)))
                        .toList(),
                lock.waiting(),
                lock.newestToken().isPresent()
                        ? Long.toString(lock.newestToken().getAsLong())
                        : null,
                lock.readAt(),
                lock.nodes().stream()
                        .map(node -> new Node(node.address(), node.failure().orElse(null), holders(node.holders())))
                        .toList());
    }

    private static List<Holder> holders(List<LockView.Holder> holders) {
        return holders.stream()
                .map(holder -> new Holder(
                        holder.label(),
                        Long.toString(holder.fencingToken()),
                        holder.permits(),
                        holder.use(),
                        holder.since().orElse(null),
                        holder.timeLeft().map(Duration::toMillis).orElse(null)))
                .toList();
    }
}
