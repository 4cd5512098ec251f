package io.hasp.redis;

import io.hasp.spi.UriAuthority;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parsed URI of a {@code RedlockConfig}. */
record RedlockUri(List<RedisConfig> nodes, Duration nodeTimeout) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(200);

    /** Java takes an authority of several hosts for a text without structure; so each node is read as a URI of its own. */
    static RedlockUri parse(URI uri) {
        UriAuthority authority = UriAuthority.of(uri);
        if (authority.hosts().isEmpty()) {
            throw new IllegalArgumentException("the URI names no nodes: it reads"
                    + " redlock://[user:password@]host[:port],host[:port],host[:port][/database][?parameters]");
        }
        if (uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "the URI has a fragment, behind '#': it takes none; " + UriAuthority.ENCODING);
        }
        UriParameters parameters = UriParameters.of(uri);
        String ofEachNode = Stream.of("keyPrefix", "eviction")
                .flatMap(name -> parameters.text(name).stream()
                        .map(value -> name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)))
                .collect(Collectors.joining("&", "?", ""));
        Duration nodeTimeout = parameters.duration("nodeTimeout").orElse(DEFAULT_TIMEOUT);
        parameters.rejectUnknown();
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        List<RedisConfig> nodes = authority.hosts().stream()
                .map(node -> node(node, path + ofEachNode, authority))
                .toList();
        return new RedlockUri(nodes, nodeTimeout);
    }

    /** The credentials are no part of the text that is read, so no message and no cause repeats them. */
    private static RedisConfig node(String node, String rest, UriAuthority authority) {
        try {
            ConfigChecks.address("node", node, RedisConfig.DEFAULT_PORT);
            RedisConfig config = RedisConfig.of(URI.create("redis://" + node + rest));
            String user = authority.user().orElse("");
            return authority
                    .password()
                    .map(password -> config.credentials(user, password))
                    .orElse(config);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("node '" + node + "': " + e.getMessage(), e);
        }
    }
}
