package io.hasp.conformance.servers;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis cluster of three masters, optionally with a replica each, as real processes that a test can break. */
public final class ClusterServers implements AutoCloseable {
    /** The number of slots of a cluster. */
    public static final int SLOTS = 16_384;

    private static final int MASTERS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<RedisServer> servers = new ArrayList<>();

    private ClusterServers(boolean replicas, Duration nodeTimeout, List<String> ofServers) {
        for (int i = 0; i < (replicas ? 2 : 1) * MASTERS; i++) {
            List<String> options = new ArrayList<>(ofServers);
            options.addAll(List.of(
                    "cluster-enabled yes",
                    "cluster-port " + Ports.free(),
                    // Beside the folder that a restart without data empties: what it was in the cluster is no data.
                    "cluster-config-file ../nodes.conf",
                    "cluster-node-timeout " + nodeTimeout.toMillis(),
                    "repl-diskless-sync-delay 0"));
            servers.add(RedisServer.start(options.toArray(String[]::new)));
        }
    }

    /**
     * Starts all nodes, and waits until each has discovered the others.
     *
     * @param replicas true for one replica per master
     * @param nodeTimeout the silence after which nodes consider another node down
     * @param options configuration lines of all nodes
     * @return a cluster that serves all slots
     * @throws ServerException if a node does not start; with the node's log
     */
    public static ClusterServers start(boolean replicas, Duration nodeTimeout, String... options) {
        ClusterServers all = new ClusterServers(replicas, nodeTimeout, List.of(options));
        boolean formed = false;
        try {
            all.form();
            all.servers.forEach(server ->
                    server.command("CONFIG", "SET", "cluster-node-timeout", Long.toString(nodeTimeout.toMillis())));
            formed = true;
            return all;
        } finally {
            if (!formed) {
                all.close();
            }
        }
    }

    private void form() {
        for (int i = 0; i < servers.size(); i++) {
            RedisServer server = servers.get(i);
            server.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i < MASTERS) {
                int first = SLOTS * i / MASTERS;
                int last = SLOTS * (i + 1) / MASTERS - 1;
                server.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
            }
            for (RedisServer other : servers.subList(0, i)) {
                String bus = String.valueOf(
                        ((List<?>) requireNonNull(other.command("CONFIG", "GET", "cluster-port"))).get(1));
                server.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), bus);
            }
        }
        until(
                "the nodes to know each other",
                () -> servers.stream().allMatch(server -> known(server) == servers.size()));
        for (int i = MASTERS; i < servers.size(); i++) {
            servers.get(i).command("CLUSTER", "REPLICATE", id(servers.get(i - MASTERS)));
        }
        awaitSettled();
    }

    private static long known(RedisServer server) {
        return nodes(server).filter(node -> !node[2].contains("handshake")).count();
    }

    /** Each line of {@code CLUSTER NODES}: id, address, flags, master, …, link state, slots. */
    private static Stream<String[]> nodes(RedisServer server) {
        return String.valueOf(server.command("CLUSTER", "NODES")).lines().map(line -> line.split(" "));
    }

    private static String id(RedisServer server) {
        return String.valueOf(server.command("CLUSTER", "MYID"));
    }

    /**
     * The nodes, to be broken one by one.
     *
     * @return the first masters, then their replicas in the same order, running or not
     */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * Returns the nodes' addresses.
     *
     * @return such as {@code 127.0.0.1:12345,127.0.0.1:12346}
     */
    public String addresses() {
        return servers.stream().map(one -> "127.0.0.1:" + one.port()).collect(Collectors.joining(","));
    }

    /**
     * The slot of a key.
     *
     * @param key any text
     * @return from 0 to 16383
     */
    public int slot(String key) {
        return Math.toIntExact((Long) requireNonNull(running().command("CLUSTER", "KEYSLOT", key)));
    }

    private RedisServer running() {
        return servers.stream()
                .filter(RedisServer::running)
                .findFirst()
                .orElseThrow(() -> new ServerException("no node is running", null));
    }

    /**
     * Returns the master of a slot, in the view of another node.
     *
     * @param asked a running node
     * @param slot from 0 to 16383
     * @return one of the servers
     */
    public RedisServer masterOf(RedisServer asked, int slot) {
        for (Object range : (List<?>) requireNonNull(asked.command("CLUSTER", "SLOTS"))) {
            List<?> parts = (List<?>) range;
            if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                Object port = ((List<?>) parts.get(2)).get(1);
                return servers.stream()
                        .filter(server -> port.equals((long) server.port()))
                        .findFirst()
                        .orElseThrow();
            }
        }
        throw new ServerException("slot " + slot + " has no master", null);
    }

    /**
     * The master of a key, as the first running node sees it.
     *
     * @param key any text
     * @return one of the servers
     */
    public RedisServer masterOf(String key) {
        return masterOf(running(), slot(key));
    }

    /**
     * All masters, as the first running node sees them.
     *
     * @return those that have slots
     */
    public List<RedisServer> masters() {
        RedisServer asked = running();
        return servers.stream()
                .filter(server -> nodes(asked)
                        .anyMatch(node -> node[1].startsWith("127.0.0.1:" + server.port() + "@")
                                && node[2].contains("master")
                                && !node[2].contains("fail")
                                && node.length > 8))
                .toList();
    }

    /** Waits until each running node says that all slots are served, and each replica follows a master. */
    public void awaitSettled() {
        until(
                "the cluster to be settled",
                () -> servers.stream().filter(RedisServer::running).allMatch(this::settled));
    }

    private boolean settled(RedisServer server) {
        String info = String.valueOf(server.command("CLUSTER", "INFO"));
        String replication = String.valueOf(server.command("INFO", "replication"));
        boolean follows = replication.contains("role:master") || replication.contains("master_link_status:up");
        return info.contains("cluster_state:ok")
                && info.contains("cluster_slots_fail:0")
                && info.contains("cluster_slots_pfail:0")
                && follows
                && nodes(server).filter(node -> node[2].contains("slave")).count() == servers.size() - MASTERS
                && nodes(server).noneMatch(node -> node[2].contains("fail"));
    }

    /**
     * Waits until no running node considers that server the master of the slot.
     *
     * @param former the master before
     * @param slot one of its slots
     */
    public void awaitFailoverFrom(RedisServer former, int slot) {
        until(
                "a failover",
                () -> servers.stream()
                        .filter(server -> server.running() && server != former)
                        .allMatch(server -> masterOf(server, slot) != former
                                && String.valueOf(server.command("CLUSTER", "INFO"))
                                        .contains("cluster_state:ok")));
    }

    /**
     * Begins to move a slot: until {@link #endMove} its keys may be at either master, or some at one and some at the other.
     *
     * @param slot from 0 to 16383
     * @param to another master
     */
    public void beginMove(int slot, RedisServer to) {
        RedisServer from = masterOf(running(), slot);
        to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /**
     * Moves one key and no others of its slot.
     *
     * @param key one whose slot is being moved
     * @param to where to
     */
    public void moveKey(String key, RedisServer to) {
        masterOf(key).command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "10000", "REPLACE");
    }

    /**
     * Moves all keys that are in a slot at this moment, in one step.
     *
     * @param slot one that is being moved
     * @param to where to
     */
    public void moveKeys(int slot, RedisServer to) {
        RedisServer from = masterOf(running(), slot);
        List<?> keys =
                (List<?>) requireNonNull(from.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "100000"));
        if (!keys.isEmpty()) {
            Stream<String> head =
                    Stream.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", "10000", "REPLACE", "KEYS");
            from.command(Stream.concat(head, keys.stream().map(String::valueOf)).toArray(String[]::new));
        }
    }

    /**
     * Ends the move of a slot: moves the keys written since the begin, and notifies all masters.
     *
     * @param slot a slot that is being moved
     * @param to its new master
     */
    public void endMove(int slot, RedisServer to) {
        moveKeys(slot, to);
        RedisServer from = masterOf(running(), slot);
        String[] said = {"CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id(to)};
        to.command(said);
        from.command(said);
        masters().stream().filter(server -> server != to && server != from).forEach(server -> server.command(said));
    }

    /**
     * Moves slots one after the other, as the tools of Redis do.
     *
     * @param slots from 0 to 16383, of any masters
     * @param to another master
     */
    public void move(IntStream slots, RedisServer to) {
        slots.filter(slot -> masterOf(running(), slot) != to).forEach(slot -> {
            beginMove(slot, to);
            endMove(slot, to);
        });
    }

    /**
     * Returns all nodes as one server: each operation applies to all of them.
     *
     * @return the same processes
     */
    public Server asOne() {
        return new ServerGroup(servers(), this::awaitSettled);
    }

    private static void until(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(condition::getAsBoolean);
    }

    /** Ends all and deletes their folders. Idempotent. */
    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
