package io.hasp.evaluation.subject;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.evaluation.measure.ServerCounters;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.ZooKeeper;
import org.redisson.Redisson;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The servers of one comparison: real ones, started for it on free ports of the loopback interface. */
public final class Servers implements AutoCloseable {
    private static final String REDIS_VERSION = "redis_version:";

    private final Optional<RedisServer> redis;
    private final Optional<ZooKeeperEnsemble> zookeeper;

    private Servers(Optional<RedisServer> redis, Optional<ZooKeeperEnsemble> zookeeper) {
        this.redis = redis;
        this.zookeeper = zookeeper;
    }

    /**
     * Starts what is needed: one Redis server that keeps nothing on disk, three ZooKeeper servers that sync every change
     * to disk, each with its software's defaults otherwise.
     *
     * @param services which services to start
     * @return servers that serve, stopped by closing this
     * @throws io.hasp.conformance.servers.ServerException if one does not come up
     */
    public static Servers start(Set<Service> services) {
        Optional<RedisServer> redis =
                services.contains(Service.REDIS) ? Optional.of(RedisServer.start()) : Optional.empty();
        try {
            return new Servers(
                    redis,
                    services.contains(Service.ZOOKEEPER) ? Optional.of(ZooKeeperEnsemble.start()) : Optional.empty());
        } catch (RuntimeException e) {
            redis.ifPresent(RedisServer::close);
            throw e;
        }
    }

    /**
     * Where they are.
     *
     * @return their addresses, empty for what was not started
     */
    public Addresses addresses() {
        return new Addresses(
                redis.map(RedisServer::uri).orElse(""),
                zookeeper.map(ZooKeeperEnsemble::connectString).orElse(""));
    }

    /**
     * What they count.
     *
     * @param service which of them
     * @return the counters of its servers
     */
    public ServerCounters counters(Service service) {
        return switch (service) {
            case REDIS -> new RedisCounters(redis.orElseThrow());
            case ZOOKEEPER -> new ZooKeeperCounters(zookeeper.orElseThrow());
        };
    }

    /**
     * What runs and what talks to it.
     *
     * @return the version of each server and client library
     */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        redis.ifPresent(server -> {
            versions.put("redis", versionIn(String.valueOf(server.command("INFO", "server"))));
            versions.put("redisson", version(Redisson.class));
            versions.put("spring-integration", version(RedisLockRegistry.class));
        });
        zookeeper.ifPresent(ensemble -> {
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
        zookeeper.ifPresent(ZooKeeperEnsemble::close);
        redis.ifPresent(RedisServer::close);
    }
}
