package io.hasp.evaluation.servers;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import net.javacrumbs.shedlock.core.LockProvider;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.ZooKeeper;
import org.postgresql.Driver;
import org.redisson.Redisson;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;
import redis.clients.jedis.UnifiedJedis;

/** The versions of servers and client libraries. */
final class Versions {
    private static final String REDIS = "redis_version:";
    private static final String ZOOKEEPER = "Zookeeper version: ";

    private static final String SHEDLOCK = "net.javacrumbs.shedlock/shedlock-core";

    private final Map<String, String> versions = new TreeMap<>();

    /** From the reply to {@code INFO server}, which is empty if it was refused. */
    void addRedis(String info) {
        versions.put("redis", after(REDIS, info));
        versions.put("redisson", version(Redisson.class));
        versions.put("lettuce", inJar(RedisClient.class, "io.lettuce/lettuce-core"));
        versions.put("jedis", inJar(UnifiedJedis.class, "redis.clients/jedis"));
        versions.put("shedlock", inJar(LockProvider.class, SHEDLOCK));
        versions.put("spring-integration", version(RedisLockRegistry.class));
    }

    void addZooKeeper(String server) {
        versions.put("zookeeper", server);
        versions.put("curator", version(InterProcessMutex.class));
        versions.put("spring-integration", version(ZookeeperLockRegistry.class));
    }

    void addPostgres(String server) {
        versions.put("postgresql", server);
        versions.put("pgjdbc", version(Driver.class));
        versions.put("hikaricp", inJar(HikariDataSource.class, "com.zaxxer/HikariCP"));
        versions.put("shedlock", inJar(LockProvider.class, SHEDLOCK));
        versions.put("spring-integration", version(JdbcLockRegistry.class));
    }

    /** The version of servers that are started here: that of the client library. */
    static String ofClient() {
        return version(ZooKeeper.class);
    }

    /** The version in the reply to {@code srvr}, such as {@code Zookeeper version: 3.9.5-8b...}. */
    static String in(String srvr) {
        return after(ZOOKEEPER, srvr).replaceFirst("[-,].*", "");
    }

    private static String after(String label, String text) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .findFirst()
                .map(line -> line.substring(label.length()).strip())
                .orElse("unknown");
    }

    private static String version(Class<?> library) {
        return Objects.requireNonNullElse(library.getPackage().getImplementationVersion(), "unknown");
    }

    /** The version that Maven wrote into the jar, for a library whose manifest has none. */
    private static String inJar(Class<?> library, String artifact) {
        try (InputStream in = library.getResourceAsStream("/META-INF/maven/" + artifact + "/pom.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    Map<String, String> all() {
        return Collections.unmodifiableMap(versions);
    }
}
