package io.hasp.evaluation.subject;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.evaluation.measure.ServerCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.ZooKeeper;
import org.redisson.Redisson;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The servers of one comparison: real ones, started for it on free ports of the loopback interface. */
public final class Servers implements AutoCloseable {
    private static final String REDIS_VERSION = "redis_version:";

    private static final int NODES = 5;

    private final List<RedisServer> redis = new ArrayList<>();
    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<ZooKeeperEnsemble> zookeeper = new ArrayList<>();

    private Servers() {}

    /**
     * Starts what is needed: Redis servers that keep nothing on disk, three ZooKeeper servers that sync every change
     * to disk, each with its software's defaults otherwise.
     *
     * @param services which services to start
     * @return servers that serve, stopped by closing this
     * @throws io.hasp.conformance.servers.ServerException if one does not come up
     */
    public static Servers start(Set<Service> services) {
        Servers servers = new Servers();
        try {
            for (Service service : services) {
                servers.start(service);
            }
            return servers;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void start(Service service) {
        switch (service) {
            case REDIS -> redis.add(RedisServer.start());
            case REDLOCK -> {
                while (nodes.size() < NODES) {
                    nodes.add(RedisServer.start());
                }
            }
            case ZOOKEEPER -> zookeeper.add(ZooKeeperEnsemble.start());
        }
    }

    /**
     * Where they are.
     *
     * @return their addresses, empty for what was not started
     */
    public Addresses addresses() {
        return new Addresses(
                redis.stream().map(RedisServer::uri).collect(Collectors.joining()),
                nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(",")),
                zookeeper.stream().map(ZooKeeperEnsemble::connectString).collect(Collectors.joining()));
    }

    /**
     * What they count.
     *
     * @param service which of them
     * @return the counters of its servers
     */
    public ServerCounters counters(Service service) {
        return switch (service) {
            case REDIS -> new RedisCounters(redis);
            case REDLOCK -> new RedisCounters(nodes);
            case ZOOKEEPER -> new ZooKeeperCounters(zookeeper.get(0));
        };
    }

    /**
     * What runs and what talks to it.
     *
     * @return the version of each server and client library
     */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        Stream.concat(redis.stream(), nodes.stream()).findFirst().ifPresent(server -> {
            versions.put("redis", versionIn(String.valueOf(server.command("INFO", "server"))));
            versions.put("redisson", version(Redisson.class));
            versions.put("spring-integration", version(RedisLockRegistry.class));
        });
        zookeeper.forEach(ensemble -> {
            versions.put("zookeeper", version(ZooKeeper.class));
            versions.put("curator", version(InterProcessMutex.class));
            versions.put("spring-integration", version(ZookeeperLockRegistry.class));
        });
        return versions;
    }

    private static String versionIn(String info) {
        return info.lines()
                .filter(line -> line.startsWith(REDIS_VERSION))
                .findFirst()
                .map(line -> line.substring(REDIS_VERSION.length()))
                .orElse("unknown");
    }

    private static String version(Class<?> library) {
        return Objects.requireNonNullElse(library.getPackage().getImplementationVersion(), "unknown");
    }

    @Override
    public void close() {
        zookeeper.forEach(ZooKeeperEnsemble::close);
        nodes.forEach(RedisServer::close);
        redis.forEach(RedisServer::close);
    }
}
