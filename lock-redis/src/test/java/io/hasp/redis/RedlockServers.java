package io.hasp.redis;

import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Some independent Redis processes, and what can be broken on all of them, as if they were one server. */
final class RedlockServers implements Server, Faults {
    /** Generous, so that a busy machine is no dead node. */
    static final Duration NODE_TIMEOUT = Timings.units(5);

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedlockServers() {}

    static RedlockServers start(int count, String... options) {
        RedlockServers servers = new RedlockServers();
        for (int i = 0; i < count; i++) {
            servers.nodes.add(RedisServer.start(options));
        }
        // In the order in which clients keep them.
        servers.nodes.sort((one, other) -> ("" + one.port()).compareTo("" + other.port()));
        return servers;
    }

    /** Some of the nodes as one server. */
    RedlockServers only(int... which) {
        RedlockServers some = new RedlockServers();
        for (int i : which) {
            some.nodes.add(nodes.get(i));
        }
        return some;
    }

    /** The nodes in the order in which clients keep them. */
    List<RedisServer> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    RedisServer node(int i) {
        return nodes.get(i);
    }

    String uri() {
        return uri(nodes.stream().map(RedisServer::port).toList());
    }

    static String uri(List<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "redlock://", ""))
                + "?nodeTimeout=" + NODE_TIMEOUT;
    }

    static String key(String lock) {
        return new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(lock));
    }

    /** The number of nodes with the key. */
    long having(String key) {
        return nodes.stream()
                .filter(node -> Long.valueOf(1).equals(node.command("EXISTS", key)))
                .count();
    }

    @Override
    public Server server() {
        return this;
    }

    @Override
    public void deleteLock(String lock) {
        long had = having(key(lock));
        nodes.forEach(node -> node.command("DEL", key(lock)));
        if (had == 0) {
            throw new IllegalStateException("there is no key '" + key(lock) + "' to delete");
        }
    }

    @Override
    public void loseNotifications() {
        nodes.forEach(node -> new RedisFaults(node, RedlockServers::key).loseNotifications());
    }

    @Override
    public HeldRequests holdWrites(Duration time) {
        List<HeldRequests> held = nodes.stream()
                .map(node -> new RedisFaults(node, RedlockServers::key).holdWrites(time))
                .toList();
        return () -> {
            int fewest = Integer.MAX_VALUE;
            for (HeldRequests one : held) {
                fewest = Math.min(fewest, one.waiting());
            }
            return fewest;
        };
    }

    private void all(Consumer<RedisServer> action) {
        nodes.forEach(action);
    }

    @Override
    public void pause() {
        all(RedisServer::pause);
    }

    @Override
    public void resume() {
        all(RedisServer::resume);
    }

    @Override
    public void kill() {
        all(RedisServer::kill);
    }

    @Override
    public void stop() {
        all(RedisServer::stop);
    }

    @Override
    public void restart() {
        all(RedisServer::restart);
    }

    @Override
    public void restartWithoutData() {
        all(RedisServer::restartWithoutData);
    }

    @Override
    public boolean running() {
        return nodes.stream().allMatch(RedisServer::running);
    }

    @Override
    public void close() {
        all(RedisServer::close);
    }
}
