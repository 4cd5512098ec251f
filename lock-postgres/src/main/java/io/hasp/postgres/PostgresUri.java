package io.hasp.postgres;

import io.hasp.spi.Credentials;
import io.hasp.spi.UriAuthority;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the URI of {@link PostgresConfig}. Messages never repeat the user info. */
final class PostgresUri {
    static final String FORM =
            "a URI reads postgresql://[user:password@]host[:port][,host[:port]…]/database[?parameters]";
    private static final List<String> OF_THE_DRIVER =
            List.of("sslmode", "sslrootcert", "sslcert", "sslkey", "targetServerType");

    private PostgresUri() {}

    static PostgresConfig parse(URI uri) {
        UriAuthority authority = UriAuthority.of(uri);
        if (uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "the URI has a fragment, behind '#': it takes none; " + UriAuthority.ENCODING);
        }
        UriParameters parameters = UriParameters.of(uri);
        PostgresLocks locks = locks(parameters);
        Map<String, String> driver = new TreeMap<>();
        for (String name : OF_THE_DRIVER) {
            parameters.text(name).ifPresent(value -> driver.put(name, value));
        }
        parameters.rejectUnknown();
        List<String> hosts = authority.hosts();
        for (String host : hosts) {
            if (!host.matches("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?")) {
                throw new IllegalArgumentException("a host of the URI can't be read: a host name takes letters, digits,"
                        + " '-' and '.', a port is a number, and " + UriAuthority.ENCODING);
            }
        }
        Optional<Credentials> credentials = authority
                .user()
                .map(user -> new Credentials(user, authority.password().orElse("")));
        return new PostgresConfig(hosts, database(uri), credentials, driver, locks);
    }

    private static PostgresLocks locks(UriParameters parameters) {
        PostgresLocks locks = PostgresLocks.defaults();
        Optional<String> schema = parameters.text("schema");
        if (schema.isPresent() && !schema.get().equals("create")) {
            throw new IllegalArgumentException(
                    "URI parameter schema takes the word create only; the name of a schema is schemaName");
        }
        locks = locks.create(schema.isPresent());
        locks = parameters.text("schemaName").map(locks::schema).orElse(locks);
        locks = parameters.text("prefix").map(locks::prefix).orElse(locks);
        locks = parameters
                .text("notify")
                .map(Notification::of)
                .map(locks::notification)
                .orElse(locks);
        locks = parameters.duration("commandTimeout").map(locks::commandTimeout).orElse(locks);
        Optional<Integer> size = parameters.number("poolSize", 1, 64);
        return size.map(locks::poolSize).orElse(locks);
    }

    private static String database(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String name = path.startsWith("/") ? path.substring(1) : path;
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("the URI names no database: " + FORM);
        }
        return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
