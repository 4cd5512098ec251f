package io.hasp.conformance.servers;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis master, two replicas, and three sentinels that watch over them, as real processes that a test can break. */
public final class SentinelServers implements AutoCloseable {
    /** The name by which the sentinels know the master. */
    public static final String MASTER_ID = "hasp-master";

    private static final int REPLICAS = 2;
    private static final int SENTINELS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(3);

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private SentinelServers(Duration downAfter, List<String> ofServers, List<String> ofSentinels) {
        List<String> options = new ArrayList<>(ofServers);
        options.add("repl-diskless-sync-delay 0");
        servers.add(RedisServer.start(options.toArray(String[]::new)));
        int master = servers.get(0).port();
        options.add("replicaof 127.0.0.1 " + master);
        for (int i = 0; i < REPLICAS; i++) {
            servers.add(RedisServer.start(options.toArray(String[]::new)));
        }
        List<String> watching = new ArrayList<>(List.of(
                "sentinel monitor " + MASTER_ID + " 127.0.0.1 " + master + " 2",
                "sentinel down-after-milliseconds " + MASTER_ID + " " + downAfter.toMillis(),
                "sentinel failover-timeout " + MASTER_ID + " " + FAILOVER_TIMEOUT.toMillis(),
                "sentinel parallel-syncs " + MASTER_ID + " " + REPLICAS));
        watching.addAll(ofSentinels);
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(RedisServer.sentinel(watching.toArray(String[]::new)));
        }
    }

    /**
     * Starts all six.
     *
     * @param downAfter after how long without an answer a sentinel takes the master for down
     * @param options lines of the configuration of the master and the replicas
     * @return servers of which each knows the others
     * @throws ServerException if one does not come up; says what its log says
     */
    public static SentinelServers start(Duration downAfter, String... options) {
        return start(downAfter, List.of(options), List.of());
    }

    /**
     * Starts all six.
     *
     * @param downAfter after how long without an answer a sentinel takes the master for down
     * @param ofServers lines of the configuration of the master and the replicas
     * @param ofSentinels lines of the configuration of the sentinels
     * @return servers of which each knows the others
     * @throws ServerException if one does not come up; says what its log says
     */
    public static SentinelServers start(Duration downAfter, List<String> ofServers, List<String> ofSentinels) {
        SentinelServers all = new SentinelServers(downAfter, ofServers, ofSentinels);
        boolean settled = false;
        try {
            all.awaitSettled();
            settled = true;
            return all;
        } finally {
            if (!settled) {
                all.close();
            }
        }
    }

    /**
     * The servers, to be broken one by one.
     *
     * @return the first master and its replicas, running or not
     */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * The sentinels, to be broken one by one.
     *
     * @return all three, running or not
     */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * Where the sentinels listen.
     *
     * @return such as {@code 127.0.0.1:12345,127.0.0.1:12346,127.0.0.1:12347}
     */
    public String addresses() {
        return sentinels.stream().map(one -> "127.0.0.1:" + one.port()).collect(Collectors.joining(","));
    }

    /**
     * The master that a sentinel names.
     *
     * @param sentinel one that runs
     * @return one of the servers
     */
    public RedisServer masterOf(RedisServer sentinel) {
        List<?> address = (List<?>) requireNonNull(sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_ID));
        return servers.stream()
                .filter(server -> address.get(1).equals(Integer.toString(server.port())))
                .findFirst()
                .orElseThrow(() -> new ServerException("a sentinel names another server: " + address, null));
    }

    /**
     * The master that the first running sentinel names.
     *
     * @return one of the servers
     */
    public RedisServer master() {
        return masterOf(
                runningSentinels().findFirst().orElseThrow(() -> new ServerException("no sentinel is running", null)));
    }

    private Stream<RedisServer> runningSentinels() {
        return sentinels.stream().filter(RedisServer::running);
    }

    /** Makes the sentinels promote a replica while the master serves, and waits until all of them say so. */
    public void failOver() {
        RedisServer former = master();
        until("SENTINEL FAILOVER to be accepted", () -> {
            try {
                sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER_ID);
                return true;
            } catch (RespError e) {
                return false; // The one before is not over, or no replica is fit.
            }
        });
        awaitFailoverFrom(former);
    }

    /**
     * Waits until every running sentinel names another master.
     *
     * @param former the one before
     */
    public void awaitFailoverFrom(RedisServer former) {
        until(
                "a failover",
                () -> runningSentinels().allMatch(sentinel -> masterOf(sentinel).port() != former.port()));
    }

    /** Waits until each running sentinel knows the others, and every running server but the master follows the master. */
    public void awaitSettled() {
        until("the sentinels to know of all", () -> runningSentinels().allMatch(this::knowsAll));
        until("replication", () -> {
            String port = "master_port:" + master().port();
            return servers.stream()
                    .filter(RedisServer::running)
                    .filter(server -> server.port() != master().port())
                    .map(server -> String.valueOf(server.command("INFO", "replication")))
                    .allMatch(info -> info.contains("master_link_status:up") && info.contains(port));
        });
    }

    private boolean knowsAll(RedisServer sentinel) {
        List<?> master = (List<?>) requireNonNull(sentinel.command("SENTINEL", "MASTER", MASTER_ID));
        return field(master, "flags").equals("master")
                && field(master, "num-slaves").equals(Integer.toString(REPLICAS))
                && field(master, "num-other-sentinels").equals(Integer.toString(SENTINELS - 1));
    }

    private static String field(List<?> fields, String name) {
        return String.valueOf(fields.get(fields.indexOf(name) + 1));
    }

    private static void until(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(condition::getAsBoolean);
    }

    /** Ends all six and deletes their folders. Idempotent. */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }
}
