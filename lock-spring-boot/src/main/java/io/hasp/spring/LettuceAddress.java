package io.hasp.spring;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

/** Where a connection factory leads, as Lettuce takes it. */
final class LettuceAddress {
    private LettuceAddress() {}

    /** The server, the sentinels that name it, or some nodes of a cluster. */
    static List<RedisURI> of(LettuceConnectionFactory factory) {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster == null) {
            return List.of(ofServer(factory));
        }
        List<RedisURI> nodes = new ArrayList<>();
        for (RedisNode node : cluster.getClusterNodes()) {
            RedisURI.Builder uri = RedisURI.Builder.redis(
                    Objects.requireNonNull(node.getHost()), Objects.requireNonNullElse(node.getPort(), 6379));
            nodes.add(complete(uri, factory, cluster, cluster.getUsername(), cluster.getPassword()));
        }
        return nodes;
    }

    private static RedisURI ofServer(LettuceConnectionFactory factory) {
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            RedisURI.Builder uri = sentinels(factory, sentinel);
            return complete(uri, factory, sentinel, sentinel.getUsername(), sentinel.getPassword());
        }
        if (socket != null) {
            RedisURI.Builder uri = RedisURI.Builder.socket(socket.getSocket());
            return complete(uri, factory, socket, socket.getUsername(), socket.getPassword());
        }
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        RedisURI.Builder uri = RedisURI.Builder.redis(server.getHostName(), server.getPort());
        return complete(uri, factory, server, server.getUsername(), server.getPassword());
    }

    private static RedisURI.Builder sentinels(LettuceConnectionFactory factory, RedisSentinelConfiguration sentinel) {
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

    private static RedisURI complete(
            RedisURI.Builder uri,
            LettuceConnectionFactory factory,
            RedisConfiguration configuration,
            @Nullable String user,
            RedisPassword password) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        authenticate(uri, user, password);
        client.getClientName().ifPresent(uri::withClientName);
        RedisURI built =
                encrypt(uri, client).withDatabase(factory.getDatabase()).build();
        client.getRedisCredentialsProviderFactory()
                .ifPresent(credentials ->
                        built.setCredentialsProvider(credentials.createCredentialsProvider(configuration)));
        return built;
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
