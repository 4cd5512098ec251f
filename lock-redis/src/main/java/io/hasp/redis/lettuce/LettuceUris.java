package io.hasp.redis.lettuce;

import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.Credentials;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Addresses as Lettuce takes them. */
final class LettuceUris {
    private LettuceUris() {}

    /** Of a server, or of the sentinels that know it. */
    static RedisURI of(RedisEndpoint endpoint) {
        RedisURI.Builder uri = endpoint.sentinel()
                .map(known -> {
                    RedisURI.Builder sentinels = RedisURI.builder().withSentinelMasterId(known.masterId());
                    known.sentinels().values().forEach(sentinel -> sentinels.withSentinel(of(sentinel)));
                    return sentinels;
                })
                .orElseGet(() -> RedisURI.Builder.redis(endpoint.host(), endpoint.port()));
        uri.withDatabase(endpoint.database())
                .withSsl(endpoint.tls().isPresent())
                .withVerifyPeer(true)
                .withTimeout(endpoint.commandTimeout());
        endpoint.clientName().ifPresent(uri::withClientName);
        endpoint.credentials()
                .ifPresent(provider -> uri.withAuthentication(RedisCredentialsProvider.from(() -> present(provider))));
        return uri.build();
    }

    private static RedisCredentials present(Supplier<Credentials> provider) {
        Credentials present = provider.get();
        return RedisCredentials.just(present.user().isEmpty() ? null : present.user(), present.password());
    }

    /** The server that sentinels name, with the credentials and options of the URI that names the sentinels. */
    static RedisURI at(RedisURI sentinels, String host, int port) {
        RedisURI uri = RedisURI.Builder.redis(host, port)
                .withDatabase(sentinels.getDatabase())
                .withSsl(sentinels)
                .withTimeout(sentinels.getTimeout())
                .build();
        uri.setCredentialsProvider(sentinels.getCredentialsProvider());
        uri.setClientName(sentinels.getClientName());
        return uri;
    }

    /** Without credentials. */
    static String words(RedisURI uri) {
        if (uri.getSocket() != null) {
            return "redis-socket://" + uri.getSocket();
        }
        String scheme = uri.isSsl() ? "rediss" : "redis";
        String path = uri.getDatabase() == 0 ? "" : "/" + uri.getDatabase();
        return uri.getSentinels().isEmpty()
                ? scheme + "://" + address(uri) + path
                : scheme + "-sentinel://"
                        + uri.getSentinels().stream().map(LettuceUris::address).collect(Collectors.joining(",")) + path
                        + "?sentinelMasterId=" + uri.getSentinelMasterId();
    }

    static String address(RedisURI uri) {
        return (uri.getHost().contains(":") ? "[" + uri.getHost() + "]" : uri.getHost()) + ":" + uri.getPort();
    }
}
