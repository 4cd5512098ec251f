package io.hasp.memory;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import io.hasp.spi.Timing;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves {@code memory://name}: all clients of this JVM that name the same server share it. For examples and tests: it
 * excludes no client outside the JVM. The server uses the system's clock, independently of its clients' clocks. For
 * virtual time, create a {@link MemoryServer} on it. Thread-safe.
 */
public final class MemoryProvider implements LockBackendProvider {
    private static final Map<String, MemoryServer> SERVERS = new ConcurrentHashMap<>();
    private static final Timing SYSTEM = new Timing() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("a server only reads the clock");
        }
    };

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public MemoryProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        UriParameters.of(uri).rejectUnknown();
        String name = uri.getHost();
        if (name == null
                || uri.getPort() != -1
                || !(uri.getPath() == null || uri.getPath().isEmpty())) {
            throw new IllegalArgumentException("'" + uri
                    + "' is not of the form memory://name, with a name of letters, digits, '-' and '.' as of a host");
        }
        BackendSource source = context -> SERVERS.computeIfAbsent(name, key -> new MemoryServer(SYSTEM))
                .link()
                .open(context);
        return source.declaring(MemoryBackend.DECLARATION);
    }
}
