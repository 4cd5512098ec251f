package io.hasp.conformance.servers;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Redis master, its replicas, and three sentinels that watch over them, as real processes that a test can break. */
public final class SentinelServers implements AutoCloseable {
    /** The master's name in the configuration of the sentinels. */
    public static final String MASTER_ID = "hasp-master";

    private static final int REPLICAS = 2;
    private static final int SENTINELS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration HURRY_BELOW = Duration.ofSeconds(10);
    private static final int FAILOVER_TRIES = 500;
    private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(3);

    private final int replicas;
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private SentinelServers(int replicas, Duration downAfter, List<String> ofServers) {
        this.replicas = replicas;
        List<String> options = new ArrayList<>(ofServers);
        options.add("repl-diskless-sync-delay 0");
        servers.add(RedisServer.start(options.toArray(String[]::new)));
        int master = servers.get(0).port();
        options.add("replicaof 127.0.0.1 " + master);
        for (int i = 0; i < replicas; i++) {
            servers.add(RedisServer.start(options.toArray(String[]::new)));
        }
        String[] watching = {
            "sentinel monitor " + MASTER_ID + " 127.0.0.1 " + master + " 2",
            "sentinel down-after-milliseconds " + MASTER_ID + " " + downAfter.toMillis(),
            "sentinel failover-timeout " + MASTER_ID + " " + FAILOVER_TIMEOUT.toMillis(),
            "sentinel parallel-syncs " + MASTER_ID + " " + replicas
        };
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(RedisServer.sentinel(watching));
        }
    }

    /**
     * Starts a master with two replicas, and the sentinels.
     *
     * @param downAfter the silence after which a sentinel considers the master down
     * @param options configuration lines of the master and the replicas
     * @return servers that have discovered each other
     * @throws ServerException if a server does not start; with the server's log
     */
    public static SentinelServers start(Duration downAfter, String... options) {
        return start(REPLICAS, downAfter, options);
    }

    /**
     * Starts a master with any number of replicas, and the sentinels.
     *
     * @param replicas the number of replicas
     * @param downAfter the silence after which a sentinel considers the master down
     * @param options configuration lines of the master and the replicas
     * @return servers that have discovered each other
     * @throws ServerException if a server does not start; with the server's log
     */
    public static SentinelServers start(int replicas, Duration downAfter, String... options) {
        SentinelServers all = new SentinelServers(replicas, downAfter, List.of(options));
        boolean settled = false;
        try {
            if (downAfter.compareTo(HURRY_BELOW) < 0) {
                all.demoteFormerMasters(true);
            }
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
     * Sets the delay after which sentinels make a former master a replica. Servers before version 7 always use the
     * default.
     *
     * @param soon true for at most a second; false for the sentinels' default of 8 s
     */
    public void demoteFormerMasters(boolean soon) {
        for (RedisServer sentinel : sentinels) {
            try {
                sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "1000", "PUBLISH-PERIOD", soon ? "200" : "2000");
            } catch (RespError e) {
                return;
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
     * Returns the sentinels' addresses.
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
        RedisServer leader = runningSentinels()
                .filter(SentinelServers::acts)
                .findFirst()
                .orElseThrow(() -> new ServerException("no sentinel acts", null));
        for (int tried = 1; ; tried++) {
            try {
                leader.command("SENTINEL", "FAILOVER", MASTER_ID);
                awaitFailoverFrom(former, FAILOVER_TIMEOUT);
                return;
            } catch (RespError | NotInTime e) {
                // The one before is not over, or no replica was fit when it came to that: a sentinel gives up then.
                if (tried == FAILOVER_TRIES) {
                    throw new ServerException(
                            "the sentinels do not fail over; the log of the one that was asked ends with:\n"
                                    + leader.logTail(),
                            e);
                }
                ServerProcess.pauseBetweenProbes();
            }
        }
    }

    /** One that was stopped for a while only watches for the next 30 s. */
    private static boolean acts(RedisServer sentinel) {
        return String.valueOf(sentinel.command("INFO", "sentinel")).contains("sentinel_tilt:0");
    }

    /**
     * Waits until every running sentinel names another master.
     *
     * @param former the one before
     */
    public void awaitFailoverFrom(RedisServer former) {
        awaitFailoverFrom(former, LIMIT);
    }

    /**
     * Waits like {@link #awaitFailoverFrom(RedisServer)}. Sentinels that themselves stood still do not act for the next 30 s, so on a busy
     * machine a failover may not come.
     *
     * @param former the one before
     * @return false if it did not come in time
     */
    public boolean failsOverFrom(RedisServer former) {
        try {
            awaitFailoverFrom(former);
            return true;
        } catch (NotInTime e) {
            return false;
        }
    }

    private void awaitFailoverFrom(RedisServer former, Duration limit) {
        until(
                "a failover",
                limit,
                () -> runningSentinels().allMatch(sentinel -> masterOf(sentinel).port() != former.port()));
    }

    /**
     * Waits until each running sentinel names the same master, has discovered the others, and considers all replicas
     * eligible for promotion.
     */
    public void awaitSettled() {
        until("the sentinels to know of all", LIMIT, () -> runningSentinels().allMatch(this::knowsAll));
    }

    private boolean knowsAll(RedisServer sentinel) {
        List<?> master = (List<?>) requireNonNull(sentinel.command("SENTINEL", "MASTER", MASTER_ID));
        List<?> known = (List<?>) requireNonNull(sentinel.command("SENTINEL", "REPLICAS", MASTER_ID));
        return field(master, "flags").equals("master")
                && field(master, "port").equals(Integer.toString(master().port()))
                && field(master, "num-other-sentinels").equals(Integer.toString(SENTINELS - 1))
                && known.size() == replicas
                && known.stream().allMatch(replica -> fit((List<?>) replica));
    }

    private static boolean fit(List<?> replica) {
        return field(replica, "flags").equals("slave")
                && field(replica, "master-link-status").equals("ok");
    }

    private static String field(List<?> fields, String name) {
        return String.valueOf(fields.get(fields.indexOf(name) + 1));
    }

    private static void until(String what, Duration limit, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > limit.toNanos()) {
                throw new NotInTime(what + " did not come within " + limit);
            }
            ServerProcess.pauseBetweenProbes();
        }
    }

    private static final class NotInTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotInTime(String message) {
            super(message);
        }
    }

    /** Ends all of them and deletes their folders. Idempotent. */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }
}
