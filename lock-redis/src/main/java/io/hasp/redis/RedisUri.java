package io.hasp.redis;

import io.hasp.spi.UriParameters;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the URI of {@code RedisConfig}. Messages never repeat the user info. */
final class RedisUri {
    private static final String SPINNING = "jedis";

    private RedisUri() {}

    /**
     * Reads it.
     *
     * @param libraries the names that {@code connection} may have
     */
    static RedisConfigBuilder parse(URI uri, List<String> libraries) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean sentinel = scheme.endsWith("-sentinel");
        boolean cluster = scheme.endsWith("-cluster");
        String host = sentinel || cluster ? "" : host(uri);
        if (uri.getFragment() != null) {
            throw new IllegalArgumentException("the URI has a fragment, '#" + uri.getFragment() + "': it takes none"
                    + (sentinel ? "; the name of the master is sentinelMasterId" : ""));
        }
        String[] user = user(sentinel || cluster ? userInfo(uri.getRawAuthority()) : uri.getRawUserInfo());
        UriParameters parameters = UriParameters.of(uri);
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.keyPrefix = parameters.text("keyPrefix").orElse(parts.keyPrefix);
        parts.commandTimeout = parameters.duration("commandTimeout").orElse(parts.commandTimeout);
        Optional<Duration> spin = parameters.duration("spin");
        parts.connection = parameters
                .text("connection")
                .map(value -> library(value, libraries))
                .orElse(spin.isPresent() ? SPINNING : null);
        if (spin.isPresent() && !SPINNING.equals(parts.connection)) {
            throw new IllegalArgumentException(
                    "spin is given with connection=" + parts.connection + ": only " + SPINNING + " spins");
        }
        parts.tls = scheme.startsWith("rediss");
        if (spin.isPresent() && parts.tls) {
            throw new IllegalArgumentException("spin is given with rediss: an encrypted answer can't be looked for");
        }
        parts.trustStore = parameters.text("trustStore").map(Path::of).orElse(null);
        parts.trustStorePassword = parameters.text("trustStorePassword").orElse(null);
        parts.keyStore = parameters.text("keyStore").map(Path::of).orElse(null);
        parts.keyStorePassword = parameters.text("keyStorePassword").orElse(null);
        parts.eviction = parameters.text("eviction").map(Eviction::of).orElse(parts.eviction);
        if (sentinel) {
            parts.sentinel = sentinel(uri, parameters);
        }
        parts.acknowledgement = acknowledgement(parameters);
        if (cluster) {
            parts.nodes = hosts(uri, "nodes of a cluster", "");
        }
        parameters.rejectUnknown();
        parts.host = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        parts.port = host.isEmpty() || uri.getPort() < 0 ? parts.port : uri.getPort();
        parts.database = database(uri.getPath());
        parts.user = user[0].isEmpty() ? null : user[0];
        parts.password = user[1].isEmpty() ? null : user[1];
        parts.spin = spin.orElse(parts.spin);
        return parts;
    }

    private static @Nullable Acknowledgement acknowledgement(UriParameters parameters) {
        Optional<Integer> replicas = parameters.number("acknowledge", 1, Acknowledgement.MOST);
        Optional<Duration> within = parameters.duration("acknowledgeWithin");
        if (within.isPresent() && replicas.isEmpty()) {
            throw new IllegalArgumentException(
                    "acknowledgeWithin is given without acknowledge, the number of replicas to wait for");
        }
        return replicas.map(number -> new Acknowledgement(number, within.orElse(Acknowledgement.DEFAULT_WITHIN)))
                .orElse(null);
    }

    /** An authority that Java can't parse has no host. The message does not repeat it, because it may hold a password. */
    private static String host(URI uri) {
        if (uri.getHost() != null) {
            return uri.getHost();
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (authority.contains(",")) {
            throw new IllegalArgumentException("the URI names several hosts, and " + uri.getScheme()
                    + ":// is one server: redis-cluster://a,b,c are nodes of a cluster, redis-sentinel://a,b,c are"
                    + " sentinels, redlock://a,b,c are independent servers, zookeeper://a,b,c is an ensemble");
        }
        if (authority.indexOf('@') < authority.length() - 1) {
            throw new IllegalArgumentException(
                    "the URI's host and port can't be read: a host name takes letters, digits,"
                            + " '-' and '.', a port is a number, and a password has its special characters percent-encoded");
        }
        throw new IllegalArgumentException(
                "the URI names no host: it reads redis://[user:password@]host[:port][/database][?parameters]");
    }

    private static SentinelConfig sentinel(URI uri, UriParameters parameters) {
        List<String> hosts = hosts(uri, "sentinels", "[/database]?sentinelMasterId=…");
        String masterId = parameters
                .text("sentinelMasterId")
                .orElseThrow(() -> new IllegalArgumentException(
                        "sentinelMasterId is missing: it is the name by which the sentinels know the master"));
        return new SentinelConfig(
                masterId, hosts, parameters.text("sentinelUser"), parameters.text("sentinelPassword"));
    }

    private static List<String> hosts(URI uri, String what, String rest) {
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        String hosts = authority.substring(authority.lastIndexOf('@') + 1);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("the URI names no " + what + ": it reads " + uri.getScheme()
                    + "://[user:password@]host[:port],host[:port],…" + rest);
        }
        return List.of(hosts.split(",", -1));
    }

    /** Java takes an authority of several hosts for a text without structure. */
    private static @Nullable String userInfo(@Nullable String authority) {
        int at = authority == null ? -1 : authority.lastIndexOf('@');
        return authority == null || at < 0 ? null : authority.substring(0, at);
    }

    /** User and password, each empty if absent. */
    private static String[] user(@Nullable String raw) {
        if (raw == null) {
            return new String[] {"", ""};
        }
        int colon = raw.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "there is a user without a password: write user:password@ or :password@");
        }
        // '+' is a plus here, other than in a query.
        return new String[] {
            decode(raw.substring(0, colon).replace("+", "%2B")),
            decode(raw.substring(colon + 1).replace("+", "%2B"))
        };
    }

    private static int database(String path) {
        String number = path == null || path.isEmpty() ? "" : path.substring(1);
        if (!number.matches("\\d{0,9}")) {
            throw new IllegalArgumentException("the path is '" + path + "': it must be the number of a database");
        }
        return number.isEmpty() ? 0 : Integer.parseInt(number);
    }

    private static String library(String value, List<String> known) {
        if (!known.contains(value)) {
            throw new IllegalArgumentException("connection is '" + value + "': known are " + known);
        }
        return value;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
