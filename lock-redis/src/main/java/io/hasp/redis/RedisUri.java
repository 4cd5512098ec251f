package io.hasp.redis;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import io.hasp.spi.UriAuthority;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the URI of {@code RedisConfig}. Messages never repeat the user info. */
final class RedisUri {
    /** The way to use Redisson. */
    static final String ON_REDISSON =
            "RedisBackend.onRedisson(redissonClient), which locks through the application's own client";

    private RedisUri() {}

    static RedisConfigBuilder parse(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean sentinel = scheme.endsWith("-sentinel");
        boolean cluster = scheme.endsWith("-cluster");
        UriAuthority authority = UriAuthority.of(uri);
        String host = sentinel || cluster ? "" : host(uri, authority);
        if (uri.getFragment() != null) {
            throw new IllegalArgumentException("the URI has a fragment, behind '#': it takes none; "
                    + UriAuthority.ENCODING
                    + (sentinel ? "; the name of the master is sentinelMasterId" : ""));
        }
        UriParameters parameters = UriParameters.of(uri);
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.locks = locks(parameters);
        parts.commandTimeout = parameters.duration("commandTimeout").orElse(parts.commandTimeout);
        parts.connection = parameters.text("connection");
        parts.tls = scheme.startsWith("rediss") ? Optional.of(Tls.defaults()) : Optional.empty();
        if (sentinel) {
            parts.sentinel = Optional.of(sentinel(uri, authority, parameters));
        }
        if (cluster) {
            parts.nodes = hosts(uri, authority, "nodes of a cluster", "");
        }
        parameters.rejectUnknown();
        parts.host = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        parts.port = host.isEmpty() || uri.getPort() < 0 ? parts.port : uri.getPort();
        parts.database = database(uri.getPath());
        parts.credentials = credentials("user", authority.user(), "password", authority.password());
        return parts;
    }

    private static RedisLocks locks(UriParameters parameters) {
        RedisLocks locks = RedisLocks.defaults();
        locks = parameters.text("keyPrefix").map(locks::keyPrefix).orElse(locks);
        locks = parameters
                .text("eviction")
                .map(Eviction::of)
                .map(locks::eviction)
                .orElse(locks);
        Optional<Integer> replicas = parameters.number("acknowledge", 1, Acknowledgement.MOST);
        return replicas.map(locks::acknowledge).orElse(locks);
    }

    /** An authority that Java can't parse has no host. The message does not repeat it, because it may hold a password. */
    private static String host(URI uri, UriAuthority authority) {
        if (uri.getHost() != null) {
            return uri.getHost();
        }
        if (authority.hosts().size() > 1) {
            throw new IllegalArgumentException("the URI names several hosts, and " + uri.getScheme()
                    + ":// is one server: redis-cluster://a,b,c are nodes of a cluster, redis-sentinel://a,b,c are"
                    + " sentinels, redlock://a,b,c are independent servers, zookeeper://a,b,c is an ensemble");
        }
        if (!authority.hosts().isEmpty()) {
            throw new IllegalArgumentException(
                    "the URI's host and port can't be read: a host name takes letters, digits,"
                            + " '-' and '.', a port is a number, and " + UriAuthority.ENCODING);
        }
        throw new IllegalArgumentException(
                "the URI names no host: it reads redis://[user:password@]host[:port][/database][?parameters]");
    }

    private static SentinelConfig sentinel(URI uri, UriAuthority authority, UriParameters parameters) {
        List<String> hosts = hosts(uri, authority, "sentinels", "[/database]?sentinelMasterId=…");
        String masterId = parameters
                .text("sentinelMasterId")
                .orElseThrow(() -> new IllegalArgumentException(
                        "sentinelMasterId is missing: it is the name by which the sentinels know the master"));
        return new SentinelConfig(
                masterId,
                hosts,
                credentials(
                        "sentinelUser",
                        parameters.text("sentinelUser"),
                        "sentinelPassword",
                        parameters.text("sentinelPassword")));
    }

    private static Optional<Supplier<Credentials>> credentials(
            String userName, Optional<String> user, String passwordName, Optional<String> password) {
        if (user.isPresent() && password.isEmpty()) {
            throw new IllegalArgumentException("there is a " + userName + " without a " + passwordName);
        }
        return password.map(secret -> new Credentials(user.orElse(""), secret));
    }

    private static List<String> hosts(URI uri, UriAuthority authority, String what, String rest) {
        if (authority.hosts().isEmpty()) {
            throw new IllegalArgumentException("the URI names no " + what + ": it reads " + uri.getScheme()
                    + "://[user:password@]host[:port],host[:port],…" + rest);
        }
        return authority.hosts();
    }

    private static int database(String path) {
        String number = path == null || path.isEmpty() ? "" : path.substring(1);
        if (!number.matches("\\d{0,9}")) {
            throw new IllegalArgumentException("the path is '" + path + "': it must be the number of a database");
        }
        return number.isEmpty() ? 0 : Integer.parseInt(number);
    }
}
