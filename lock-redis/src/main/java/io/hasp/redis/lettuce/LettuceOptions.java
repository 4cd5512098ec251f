package io.hasp.redis.lettuce;

import io.hasp.redis.server.RedisEndpoint;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;

/** Options of Lettuce's connections. */
final class LettuceOptions {
    private LettuceOptions() {}

    /** For a client of our own. */
    static ClientOptions of(RedisEndpoint endpoint) {
        return ClientOptions.builder()
                .socketOptions(sockets(endpoint.commandTimeout()))
                .sslOptions(ssl(endpoint))
                .build();
    }

    /** The same, for connections of which each has one socket in its life, and whose timeouts and queues are ours. */
    static ClientOptions forOneSocket(ClientOptions options) {
        return options.mutate()
                .autoReconnect(false)
                // A full queue would look like a broken connection.
                .requestQueueSize(ClientOptions.DEFAULT_REQUEST_QUEUE_SIZE)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .pingBeforeActivateConnection(true)
                // As with Jedis: nothing here needs more.
                .protocolVersion(ProtocolVersion.RESP2)
                // See CommandTimeouts.
                .timeoutOptions(TimeoutOptions.create())
                .build();
    }

    /** A peer that vanishes without a word is noticed within two minutes, even if nothing is sent to it. */
    private static SocketOptions sockets(Duration timeout) {
        return SocketOptions.builder()
                .connectTimeout(timeout)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(60))
                        .interval(Duration.ofSeconds(15))
                        .count(4)
                        .build())
                .build();
    }

    private static SslOptions ssl(RedisEndpoint endpoint) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(endpoint.commandTimeout());
        endpoint.tls().ifPresent(tls -> {
            tls.trustStore().ifPresent(file -> ssl.truststore(file.toFile(), tls.trustStorePassword()));
            tls.keyStore()
                    .ifPresent(file ->
                            ssl.keystore(file.toFile(), tls.keyStorePassword().toCharArray()));
        });
        return ssl.build();
    }
}
