package io.hasp.redis.jedis;

import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.TlsSockets;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisException;

/** Jedis' sockets and connections to an endpoint. */
public final class JedisSockets {
    private JedisSockets() {}

    /** Creates connections that poll for a reply for this time before they wait for it. */
    public static Supplier<PollableConnection> connecting(
            RedisEndpoint endpoint, JedisSocketFactory sockets, Duration spin) {
        JedisClientConfig client = client(endpoint);
        return () -> PollableConnection.to(sockets, client, spin);
    }

    public static JedisSocketFactory of(RedisEndpoint endpoint) {
        return of(endpoint, endpoint.commandTimeout());
    }

    /** Sockets that are connected within another time than an answer has to come. */
    static JedisSocketFactory of(RedisEndpoint endpoint, Duration connecting) {
        return new DefaultJedisSocketFactory(
                new HostAndPort(endpoint.host(), endpoint.port()), client(endpoint, connecting));
    }

    public static JedisClientConfig client(RedisEndpoint endpoint) {
        return client(endpoint, endpoint.commandTimeout());
    }

    private static JedisClientConfig client(RedisEndpoint endpoint, Duration connecting) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .timeoutMillis((int) endpoint.commandTimeout().toMillis())
                .connectionTimeoutMillis((int) connecting.toMillis())
                .database(endpoint.database())
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        endpoint.clientName().ifPresent(client::clientName);
        endpoint.credentials().ifPresent(provider -> client.credentialsProvider(() -> present(provider)));
        if (endpoint.tlsSockets().isPresent()) {
            encrypt(client, endpoint.tlsSockets().get());
        } else {
            endpoint.tls().ifPresent(tls -> client.sslOptions(stores(tls)));
        }
        return client.build();
    }

    private static SslOptions stores(Tls tls) {
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        tls.trustStore()
                .ifPresent(file -> options.truststore(
                        file.toFile(), tls.trustStorePassword().toCharArray()));
        tls.keyStore()
                .ifPresent(file ->
                        options.keystore(file.toFile(), tls.keyStorePassword().toCharArray()));
        return options.build();
    }

    /** Jedis closes the socket only after an exception of its own. */
    private static RedisCredentials present(Supplier<Credentials> provider) {
        try {
            Credentials present = provider.get();
            return new DefaultRedisCredentials(present.user().isEmpty() ? null : present.user(), present.password());
        } catch (BackendFailure e) {
            throw new JedisException(e);
        }
    }

    /** Without these parameters no host name would be checked, if there is no verifier. */
    @SuppressWarnings("deprecation") // Jedis' options for TLS know files only, and an application may have none.
    private static void encrypt(DefaultJedisClientConfig.Builder client, TlsSockets sockets) {
        SSLParameters parameters = sockets.parameters().orElseGet(SSLParameters::new);
        if (sockets.verifier().isEmpty()) {
            SSLParameters checking = new SSLParameters(parameters.getCipherSuites(), parameters.getProtocols());
            checking.setEndpointIdentificationAlgorithm("HTTPS");
            parameters = checking;
        }
        client.ssl(true).sslSocketFactory(sockets.factory()).sslParameters(parameters);
        sockets.verifier().ifPresent(client::hostnameVerifier);
    }
}
