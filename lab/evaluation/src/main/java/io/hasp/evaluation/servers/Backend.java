package io.hasp.evaluation.servers;

import io.hasp.spi.UriParameters;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers that the user runs, by a URI as Hasp takes it. It may have only those parameters that mean the same to all
 * libraries; a comparison sets the others itself, to the same values for all.
 *
 * @param service what runs there
 * @param uri may have credentials, so it must not appear in messages
 */
public record Backend(Service service, URI uri) {
    private static final List<String> ZOOKEEPER_PARAMETERS = List.of("acl");
    private static final List<String> REDIS_PARAMETERS = List.of("keyPrefix");
    private static final List<String> POSTGRES_PARAMETERS = List.of("sslmode", "sslrootcert", "sslcert", "sslkey");

    /**
     * Reads one.
     *
     * @param text such as {@code redis://user:password@host:6379/0}
     * @return the backend; nothing was sent
     * @throws IllegalArgumentException with the reason, without credentials
     */
    public static Backend of(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (java.net.URISyntaxException e) {
            throw new IllegalArgumentException(
                    "a backend is a URI, with special characters written as %XX: " + e.getReason() + " at character "
                            + (e.getIndex() + 1),
                    e);
        }
        String named = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String scheme = named.equals("postgres") ? Service.POSTGRES.scheme() : named;
        Backend backend = Stream.of(Service.values())
                .filter(service -> service.scheme().equals(scheme))
                .findFirst()
                .map(service -> new Backend(service, uri))
                .orElseThrow(() -> new IllegalArgumentException("a backend begins with "
                        + Arrays.stream(Service.values())
                                .map(service -> service.scheme() + "://")
                                .collect(Collectors.joining(", "))
                        + (uri.getScheme() == null ? "" : ", not with " + uri.getScheme() + ":")));
        backend.check();
        return backend;
    }

    private void check() {
        UriParameters parameters = UriParameters.of(uri);
        (switch (service) {
                    case REDIS, REDLOCK -> REDIS_PARAMETERS;
                    case ZOOKEEPER -> ZOOKEEPER_PARAMETERS;
                    case POSTGRES -> POSTGRES_PARAMETERS;
                })
                .forEach(parameters::text);
        parameters.rejectOthers("a comparison");
        switch (service) {
            case REDIS -> RedisEndpoint.of(uri.toString());
            case REDLOCK -> RedisEndpoint.each(uri.toString());
            case ZOOKEEPER -> ZooKeeperEndpoint.of(uri.toString());
            case POSTGRES -> PostgresEndpoint.of(uri.toString());
        }
    }

    /**
     * The URI of a part that belongs to one comparison.
     *
     * @param scope a name
     * @return the URI with the name appended to the key prefix (Redis) or to the path (ZooKeeper), or as the schema (PostgreSQL)
     */
    String within(String scope) {
        String text = uri.toString();
        int query = text.indexOf('?');
        String bare = query < 0 ? text : text.substring(0, query);
        if (service == Service.ZOOKEEPER) {
            String folder = bare.endsWith("/") ? bare.substring(0, bare.length() - 1) : bare;
            return folder + "/" + scope + (query < 0 ? "" : text.substring(query));
        }
        if (service == Service.POSTGRES) {
            return bare + (query < 0 ? "?" : text.substring(query) + "&") + StartedPostgres.parameters(scope);
        }
        return bare + "?keyPrefix="
                + UriParameters.of(uri)
                        .text("keyPrefix")
                        .map(prefix -> prefix + ":" + scope)
                        .orElse(scope);
    }

    /**
     * Returns the backend's address.
     *
     * @return such as {@code redis://host:6379}, without credentials
     */
    public String address() {
        String authority = Objects.requireNonNullElse(uri.getRawAuthority(), "");
        return service.scheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1);
    }

    @Override
    public String toString() {
        return address();
    }
}
