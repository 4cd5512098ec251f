package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;
import io.hasp.redis.cluster.Address;
import io.hasp.redis.cluster.ClusterConnection;
import io.hasp.redis.jedis.JedisConnection;
import io.hasp.redis.jedis.JedisNodes;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.lettuce.LettuceNodes;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.TlsSockets;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.BackendContext;
import io.hasp.spi.LockBackend;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Opens connections through a client library, and checks their servers before a backend is created on them. */
final class RedisConnections {
    private RedisConnections() {}

    static RedisConnection open(RedisConfig config, BackendContext context) {
        return open(config.library(), config, Optional.empty(), context);
    }

    static RedisConnection open(
            Library library, RedisConfig config, Optional<TlsSockets> sockets, BackendContext context) {
        RedisEndpoint endpoint = config.endpoint(sockets);
        if (!config.nodes().isEmpty()) {
            return cluster(library, config, endpoint, context);
        }
        return switch (library) {
            case JEDIS -> new JedisConnection(endpoint);
            case LETTUCE -> LettuceConnection.open(endpoint);
        };
    }

    private static RedisConnection cluster(
            Library library, RedisConfig config, RedisEndpoint endpoint, BackendContext context) {
        List<Address> nodes = config.nodeAddresses();
        RedisEndpoint first = endpoint.at(nodes.get(0).host(), nodes.get(0).port());
        NodeConnection.Connector connector = switch (library) {
            case JEDIS -> new JedisNodes(first);
            case LETTUCE -> LettuceNodes.open(first);
        };
        return ClusterConnection.open(config.server(), nodes, connector, context);
    }

    /** Checks the servers and creates a backend. Closes the connection if a check or {@code create} fails. */
    static LockBackend checkedBackend(
            RedisConnection connection,
            RedisLocks locks,
            BackendContext context,
            BiFunction<CheckedConnection, BackendContext, LockBackend> create) {
        requireTimeFor(locks, connection);
        try {
            ScriptRunner scripts = new ScriptRunner(connection, context.timing());
            LockKeys keys = new LockKeys(locks.keyPrefix());
            ServerCheck check = check(connection, locks);
            String channel = locks.polls() ? "" : keys.channel(context.clientId());
            connection.eachServer(
                    (server, hashTag) -> check.run(new ScriptRunner(server, context.timing()), keys, hashTag, channel));
            return create.apply(
                    new CheckedConnection(connection, scripts, keys, channel, check, locks.acknowledgement()), context);
        } catch (Error e) {
            connection.close();
            throw e;
        } catch (RuntimeException e) {
            connection.close();
            throw RedisFailures.atConnect(connection.server(), e);
        }
    }

    private static void requireTimeFor(RedisLocks locks, RedisConnection connection) {
        boolean fits = false;
        try {
            locks.acknowledgement().ifPresent(wanted -> wanted.requireWithin(connection.commandTimeout()));
            fits = true;
        } finally {
            if (!fits) {
                connection.close();
            }
        }
    }

    private static ServerCheck check(RedisConnection connection, RedisLocks locks) {
        ServerCheck one = connection.splitsCalls() ? check(locks.eviction()).ofNodes() : check(locks.eviction());
        return locks.needMessages() ? one : one.withoutMessages();
    }

    private static ServerCheck check(Eviction eviction) {
        return switch (eviction) {
            case ACCEPTED -> ServerCheck.acceptingEviction();
            case REFUSED ->
                ServerCheck.refusingEviction("set it to noeviction, or accept this by eviction=accepted in the URI or"
                        + " Eviction.ACCEPTED in a program; a lock may then have two holders until the next renewal of"
                        + " the first, and only stores that check its token are safe");
        };
    }
}
