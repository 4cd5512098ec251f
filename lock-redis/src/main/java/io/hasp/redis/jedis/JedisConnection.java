package io.hasp.redis.jedis;

import io.hasp.redis.RedisConfig;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerError;
import io.hasp.redis.server.RedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Carries the commands through the blocking sockets of {@link CombiningPool}: a stage is complete when the call returns, and for a
 * lone thread the round trip costs no change of threads.
 */
public final class JedisConnection implements RedisConnection {
    /** A closed socket is found out within a round trip. What takes longer is not tried again: the caller waits. */
    private static final int PART_OF_TIMEOUT = 4;

    private final String server;
    private final Duration commandTimeout;
    private final Supplier<PollableConnection> connect;
    private final CombiningPool lanes;
    private final Queue<JedisSubscription> subscriptions = new ConcurrentLinkedQueue<>();

    public JedisConnection(RedisConfig config) {
        this(config, sockets(config));
    }

    /** One that reaches the server by these sockets. */
    public JedisConnection(RedisConfig config, JedisSocketFactory sockets) {
        this.server = config.server();
        this.commandTimeout = config.commandTimeout();
        this.connect = connecting(config, sockets, config.tls() ? Duration.ZERO : config.spin());
        this.lanes = new CombiningPool(server, commandTimeout, connect, this::replaceSubscriptions);
    }

    /** Makes connections that look for a reply for so long before they wait for it. */
    public static Supplier<PollableConnection> connecting(
            RedisConfig config, JedisSocketFactory sockets, Duration spin) {
        JedisClientConfig client = client(config);
        return () -> PollableConnection.to(sockets, client, spin);
    }

    public static JedisSocketFactory sockets(RedisConfig config) {
        return new DefaultJedisSocketFactory(new HostAndPort(config.host(), config.port()), client(config));
    }

    private void replaceSubscriptions() {
        subscriptions.forEach(JedisSubscription::replaceSocket);
    }

    public static JedisClientConfig client(RedisConfig config) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .timeoutMillis((int) config.commandTimeout().toMillis())
                .database(config.database())
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        config.user().ifPresent(client::user);
        config.password().ifPresent(client::password);
        if (config.tls()) {
            SslOptions.Builder tls = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
            config.trustStore()
                    .ifPresent(file -> tls.truststore(
                            file.toFile(),
                            config.trustStorePassword().orElse("").toCharArray()));
            config.keyStore()
                    .ifPresent(file -> tls.keystore(
                            file.toFile(), config.keyStorePassword().orElse("").toCharArray()));
            client.sslOptions(tls.build());
        }
        return client.build();
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return lanes.send(request(command, script, keys, arguments));
    }

    private static CommandArguments request(Command command, String script, List<String> keys, List<String> arguments) {
        CommandArguments request = new CommandArguments(
                        command == Command.EVALSHA ? Protocol.Command.EVALSHA : Protocol.Command.EVAL)
                .add(script)
                .add(keys.size());
        keys.forEach(request::add);
        arguments.forEach(request::add);
        return request;
    }

    /** No command was sent: connecting or the handshake failed. */
    static RuntimeException notConnected(String server, RuntimeException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException) {
                return new ServerError(String.valueOf(cause.getMessage()));
            }
        }
        return RedisFailures.unreachable(server, thrown);
    }

    @Override
    public Subscription subscribe(String channel, Consumer<String> onMessage, Runnable onReturn) {
        JedisSubscription subscription =
                new JedisSubscription(server, commandTimeout.multipliedBy(2), connect, channel, onMessage, onReturn);
        subscriptions.add(subscription);
        subscription.start();
        return subscription;
    }

    @Override
    public Duration resendsWithin() {
        return commandTimeout.dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public void reconnect() {
        lanes.replaceSockets();
    }

    @Override
    public boolean mayReplay() {
        return false;
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public void close() {
        subscriptions.forEach(JedisSubscription::close);
        lanes.close();
    }
}
