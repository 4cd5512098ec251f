package io.hasp.evaluation.servers;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.evaluation.measure.ServerCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Servers started for one comparison, on free ports of the loopback interface. Clients reach distant ones by proxies. */
final class StartedServers implements Servers {
    private static final int NODES = 5;
    private static final String LOCAL = "127.0.0.1:";

    private final List<StartedRedis> redis = new ArrayList<>();
    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<ZooKeeperEnsemble> zookeeper = new ArrayList<>();
    private final List<StartedPostgres> postgres = new ArrayList<>();
    private final RedisTopology topology;
    private Distance distance;

    /** By the port of the server. */
    private final Map<Integer, FaultProxy> proxies = new LinkedHashMap<>();

    private StartedServers(RedisTopology topology, Distance distance) {
        this.topology = topology;
        this.distance = distance;
    }

    static StartedServers start(Set<Service> services, RedisTopology topology, Distance distance) {
        StartedServers servers = new StartedServers(topology, distance);
        try {
            services.forEach(servers::start);
            return servers;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void start(Service service) {
        switch (service) {
            case REDIS -> redis.add(StartedRedis.start(topology));
            case REDLOCK -> {
                while (nodes.size() < NODES) {
                    nodes.add(RedisServer.start());
                }
            }
            case ZOOKEEPER -> zookeeper.add(ZooKeeperEnsemble.start("forceSync=yes"));
            case POSTGRES -> postgres.add(StartedPostgres.start());
        }
    }

    /**
     * {@inheritDoc} All clients connect to the same ZooKeeper server, a follower. A client that is given all three
     * picks one at random and stays there, and the leader answers writes one step sooner.
     */
    @Override
    public Environment environment() {
        String scope = "?keyPrefix=" + Environment.SCOPE;
        return new Environment(
                redis.stream()
                        .map(servers -> servers.uri(address(servers.address())))
                        .collect(Collectors.joining()),
                nodes.isEmpty()
                        ? ""
                        : "redlock://"
                                + nodes.stream()
                                        .map(node -> address(LOCAL + node.port()))
                                        .collect(Collectors.joining(","))
                                + scope,
                zookeeper.stream()
                        .map(servers ->
                                "zookeeper://" + address(servers.follower().connectString()) + "/" + Environment.SCOPE)
                        .collect(Collectors.joining()),
                postgres.stream()
                        .map(server -> StartedPostgres.uri(address(server.address())))
                        .collect(Collectors.joining()),
                ClientProfile.USUAL,
                "");
    }

    /** Of a server, as its clients see it. */
    private String address(String itself) {
        if (!distance.byProxy()) {
            return itself;
        }
        int port = Integer.parseInt(itself.substring(itself.lastIndexOf(':') + 1));
        return LOCAL + proxies.computeIfAbsent(port, distance::before).port();
    }

    @Override
    public RedisTopology topology() {
        return topology;
    }

    @Override
    public void move(Distance to) {
        if (distance.equals(to)) {
            return;
        }
        if (!distance.byProxy()) {
            throw new IllegalStateException("there is no proxy");
        }
        distance = to;
        proxies.values().forEach(to::delay);
    }

    @Override
    public boolean ours() {
        return true;
    }

    @Override
    public ServerCounters counters(Service service) {
        return switch (service) {
            case REDIS -> RedisCounters.of(redis.get(0).masters());
            case REDLOCK -> RedisCounters.of(nodes);
            case ZOOKEEPER -> new ZooKeeperCounters(zookeeper.get(0));
            case POSTGRES -> PostgresCounters.of(postgres.get(0));
        };
    }

    @Override
    public String words(Service service) {
        return (service == Service.REDIS ? topology.words() : service.words()) + distance.words();
    }

    @Override
    public Map<String, String> versions() {
        Versions versions = new Versions();
        Stream.concat(redis.stream().flatMap(servers -> servers.masters().stream()), nodes.stream())
                .findFirst()
                .ifPresent(server -> versions.addRedis(String.valueOf(server.command("INFO", "server"))));
        zookeeper.forEach(ensemble -> versions.addZooKeeper(Versions.ofClient()));
        postgres.forEach(server -> versions.addPostgres(GivenPostgres.version(server.endpoint())));
        return versions.all();
    }

    @Override
    public void close() {
        proxies.values().forEach(FaultProxy::close);
        postgres.forEach(StartedPostgres::close);
        zookeeper.forEach(ZooKeeperEnsemble::close);
        nodes.forEach(RedisServer::close);
        redis.forEach(StartedRedis::close);
    }
}
