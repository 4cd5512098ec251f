package io.hasp.redis;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import io.hasp.spi.UriAuthority;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the URI of {@code RedisConfig}. Messages never repeat the user info. */
final class RedisUri {
    /** The way to use Redisson. */
    static final String ON_REDISSON =
            "RedisBackend.onRedisson(redissonClient), which locks through the application's own client";

    private static final String SPINNING = "jedis";

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
        Optional<Duration> spin = parameters.duration("spin");
        parts.connection = parameters.text("connection").or(() -> spin.map(given -> SPINNING));
        if (spin.isPresent() && !parts.connection.equals(Optional.of(SPINNING))) {
            throw new IllegalArgumentException("spin is given with another connection: only " + SPINNING + " spins");
        }
        parts.tls = tls(parameters, scheme.startsWith("rediss"));
        if (spin.isPresent() && parts.tls.isPresent()) {
            throw new IllegalArgumentException("spin is given with rediss: an encrypted answer can't be looked for");
        }
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
        parts.spin = spin.orElse(parts.spin);
        return parts;
    }

    private static RedisLocks locks(UriParameters parameters) {
        RedisLocks locks = RedisLocks.defaults();
        locks = parameters.text("keyPrefix").map(locks::keyPrefix).orElse(locks);
        locks = parameters.text("eviction").map(Eviction::of).map(locks::eviction).orElse(locks);
        locks = parameters
                .text("notify")
                .map(Notification::of)
                .map(locks::notification)
                .orElse(locks);
        Optional<Integer> replicas = parameters.number("acknowledge", 1, Acknowledgement.MOST);
        Optional<Duration> within = parameters.duration("acknowledgeWithin");
        if (within.isPresent() && replicas.isEmpty()) {
            throw new IllegalArgumentException(
                    "acknowledgeWithin is given without acknowledge, the number of replicas to wait for");
        }
        return replicas.isEmpty()
                ? locks
                : locks.acknowledge(replicas.get(), within.orElse(Acknowledgement.DEFAULT_WITHIN));
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

    private static Optional<Tls> tls(UriParameters parameters, boolean encrypted) {
        Tls tls = new Tls(
                parameters.text("trustStore").map(Path::of),
                parameters.text("trustStorePassword").orElse(""),
                parameters.text("keyStore").map(Path::of),
                parameters.text("keyStorePassword").orElse(""));
        if (encrypted) {
            return Optional.of(tls);
        }
        if (!tls.equals(Tls.defaults())) {
            throw new IllegalArgumentException("trustStore and keyStore need the scheme rediss");
        }
        return Optional.empty();
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
