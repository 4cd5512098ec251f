package io.hasp.cli;

import io.hasp.spi.BackendContext;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Serves {@code doctored://OK-WARN}: its checks find these levels, in this order. */
public final class DoctoredProvider implements LockBackendProvider {
    @Override
    public Set<String> schemes() {
        return Set.of("doctored");
    }

    @Override
    public LockBackend open(URI uri, BackendContext context) {
        throw new UnsupportedOperationException("a service for checks only");
    }

    @Override
    public List<Finding> diagnose(URI uri, BackendContext context) {
        return Stream.of(uri.getHost().split("-"))
                .map(Finding.Level::valueOf)
                .map(level -> new Finding(
                        level,
                        "check " + level,
                        "found\u001b " + level,
                        level == Finding.Level.OK ? "" : "versions.md"))
                .toList();
    }
}
