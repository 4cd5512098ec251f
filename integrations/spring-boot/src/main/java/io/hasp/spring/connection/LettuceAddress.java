package io.hasp.spring.connection;

import io.hasp.spi.Credentials;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The address of a connection factory, in Lettuce's form. */
record LettuceAddress(LettuceConnectionFactory factory, RedisSettings settings) {

    /** The server, the sentinels that name it, or some nodes of a cluster. */
    List<RedisURI> nodes() {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster == null) {
            return List.of(ofServer());
        }
        List<RedisURI> nodes = new ArrayList<>();
        for (RedisNode node : cluster.getClusterNodes()) {
            RedisURI.Builder uri = RedisURI.Builder.redis(
                    Objects.requireNonNull(node.getHost()), Objects.requireNonNullElse(node.getPort(), 6379));
            nodes.add(complete(uri, cluster));
        }
        return nodes;
    }

    private RedisURI ofServer() {
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            RedisURI.Builder uri = sentinels(sentinel);
            return complete(uri, sentinel);
        }
        if (socket != null) {
            RedisURI.Builder uri = RedisURI.Builder.socket(socket.getSocket());
            return complete(uri, socket);
        }
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        RedisURI.Builder uri = RedisURI.Builder.redis(server.getHostName(), server.getPort());
        return complete(uri, server);
    }

    private RedisURI.Builder sentinels(RedisSentinelConfiguration sentinel) {
        String master = Objects.requireNonNull(
                Objects.requireNonNull(sentinel.getMaster()).getName());
        RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(master);
        for (RedisNode node : sentinel.getSentinels()) {
            RedisURI.Builder one = RedisURI.Builder.redis(
                    Objects.requireNonNull(node.getHost()), Objects.requireNonNullElse(node.getPort(), 26379));
            authenticate(one, sentinel.getSentinelUsername(), sentinel.getSentinelPassword());
            uri.withSentinel(encrypt(one, factory.getClientConfiguration()).build());
        }
        return uri;
    }

    private <C extends RedisConfiguration & RedisConfiguration.WithAuthentication> RedisURI complete(
            RedisURI.Builder uri, C server) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        client.getClientName().ifPresent(uri::withClientName);
        RedisURI built =
                encrypt(uri, client).withDatabase(factory.getDatabase()).build();
        settings.credentials(() -> RedisSettings.credentials(
                        server.getUsername(),
                        server.getPassword().map(String::new).orElse("")))
                .ifPresent(present -> built.setCredentialsProvider(asked(present)));
        if (settings.rotating().isEmpty()) {
            client.getRedisCredentialsProviderFactory()
                    .ifPresent(given -> built.setCredentialsProvider(given.createCredentialsProvider(server)));
        }
        return built;
    }

    /** For each new connection. */
    private static RedisCredentialsProvider asked(Supplier<Credentials> provider) {
        return RedisCredentialsProvider.from(() -> {
            Credentials present = Credentials.from(provider, "Redis");
            return RedisCredentials.just(present.user().isEmpty() ? null : present.user(), present.password());
        });
    }

    private static RedisURI.Builder encrypt(RedisURI.Builder uri, LettuceClientConfiguration client) {
        return uri.withSsl(client.isUseSsl()).withStartTls(client.isStartTls()).withVerifyPeer(client.getVerifyMode());
    }

    private static void authenticate(RedisURI.Builder uri, @Nullable String user, RedisPassword password) {
        char[] secret = password.toOptional().orElse(new char[0]);
        if (user != null && !user.isEmpty()) {
            uri.withAuthentication(user, secret);
        } else if (secret.length > 0) {
            uri.withPassword(secret);
        }
    }

    /** Without credentials. */
    static String words(List<RedisURI> nodes, boolean cluster) {
        RedisURI uri = nodes.get(0);
        if (cluster) {
            return "redis-cluster://" + addresses(nodes);
        }
        if (uri.getSocket() != null) {
            return "redis-socket://" + uri.getSocket();
        }
        return uri.getSentinels().isEmpty()
                ? RedisSettings.words(uri.isSsl(), uri.getHost(), uri.getPort(), uri.getDatabase())
                : "redis-sentinel://" + addresses(uri.getSentinels()) + "?sentinelMasterId="
                        + uri.getSentinelMasterId();
    }

    private static String addresses(List<RedisURI> nodes) {
        return nodes.stream().map(each -> each.getHost() + ":" + each.getPort()).collect(Collectors.joining(","));
    }
}
