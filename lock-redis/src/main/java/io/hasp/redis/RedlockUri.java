package io.hasp.redis;

import io.hasp.spi.UriParameters;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the URI of {@code RedlockConfig} says. */
record RedlockUri(List<RedisConfig> nodes, Duration nodeTimeout) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(200);

    /** Java takes an authority of several hosts for a text without structure; so each node is read as a URI of its own. */
    static RedlockUri parse(URI uri) {
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException("the URI names no nodes: it reads"
                    + " redlock://[user:password@]host[:port],host[:port],host[:port][/database][?parameters]");
        }
        if (uri.getFragment() != null) {
            throw new IllegalArgumentException("the URI has a fragment, '#" + uri.getFragment() + "': it takes none");
        }
        UriParameters parameters = UriParameters.of(uri);
        String ofEachNode = Stream.of("keyPrefix", "spin", "eviction")
                .flatMap(name -> parameters.text(name).stream()
                        .map(value -> name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)))
                .collect(Collectors.joining("&", "?", ""));
        Duration nodeTimeout = parameters.duration("nodeTimeout").orElse(DEFAULT_TIMEOUT);
        parameters.rejectUnknown();
        int at = authority.lastIndexOf('@') + 1;
        List<RedisConfig> nodes = new ArrayList<>();
        for (String node : authority.substring(at).split(",", -1)) {
            String alone = "redis://" + authority.substring(0, at) + node
                    + (uri.getRawPath() == null ? "" : uri.getRawPath())
                    + ofEachNode;
            try {
                nodes.add(RedisConfig.of(URI.create(alone)));
            } catch (IllegalArgumentException e) {
                String why = e.getCause() instanceof URISyntaxException ? "not an address" : e.getMessage();
                throw new IllegalArgumentException("node '" + node + "': " + why, e);
            }
        }
        return new RedlockUri(nodes, nodeTimeout);
    }
}
