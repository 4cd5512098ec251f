package io.hasp;

import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the provider of a URI's scheme among those that {@link ServiceLoader} sees. A broken provider is remembered and hides no other.
 */
final class BackendLookup {
    /** The artifacts of this project's backends, for the message only. */
    private static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("redis", "io.hasp:lock-redis"),
            Map.entry("rediss", "io.hasp:lock-redis"),
            Map.entry("redis-sentinel", "io.hasp:lock-redis"),
            Map.entry("rediss-sentinel", "io.hasp:lock-redis"),
            Map.entry("redis-cluster", "io.hasp:lock-redis"),
            Map.entry("rediss-cluster", "io.hasp:lock-redis"),
            Map.entry("redlock", "io.hasp:lock-redis"),
            Map.entry("zookeeper", "io.hasp:lock-zookeeper"),
            Map.entry("postgres", "io.hasp:lock-postgres"),
            Map.entry("postgresql", "io.hasp:lock-postgres"),
            Map.entry("memory", "io.hasp:lock-memory"));

    /** Ends the lookup in a registry that can't be read and fails again and again. */
    private static final int MOST_FAILURES = 100;

    private final Map<String, List<LockBackendProvider>> serving = new TreeMap<>();
    private final Set<String> broken = new LinkedHashSet<>();

    private BackendLookup(Set<@Nullable ClassLoader> loaders) {
        Map<String, LockBackendProvider> providers = new LinkedHashMap<>();
        for (ClassLoader loader : loaders) {
            load(loader, providers);
        }
        providers.values().forEach(this::register);
    }

    /**
     * Looks in the calling thread's context class loader and in the loader of this class. Neither alone is enough: in a container the
     * library may be above the application's backends, and threads of a common pool have a context loader that knows nothing of a plug-in.
     */
    static BackendLookup usual() {
        Set<@Nullable ClassLoader> loaders = new LinkedHashSet<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(LockClient.class.getClassLoader());
        return new BackendLookup(loaders);
    }

    static BackendLookup in(ClassLoader loader) {
        return new BackendLookup(Set.of(loader));
    }

    /** The first of several classes with one name counts: they are the same backend, seen through two loaders. */
    private void load(@Nullable ClassLoader loader, Map<String, LockBackendProvider> providers) {
        Iterator<LockBackendProvider> found =
                ServiceLoader.load(LockBackendProvider.class, loader).iterator();
        for (int failures = 0; failures < MOST_FAILURES; ) {
            try {
                if (!found.hasNext()) {
                    return;
                }
                LockBackendProvider provider = found.next();
                providers.putIfAbsent(provider.getClass().getName(), provider);
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(String.valueOf(e.getMessage()));
                failures++;
            }
        }
    }

    private void register(LockBackendProvider provider) {
        try {
            for (String scheme : Set.copyOf(provider.schemes())) {
                serving.computeIfAbsent(scheme, any -> new ArrayList<>()).add(provider);
            }
        } catch (RuntimeException | LinkageError e) {
            broken.add(provider.getClass().getName() + " does not say what it serves: " + e);
        }
    }

    LockBackendProvider find(URI uri) {
        if (uri == null || uri.getScheme() == null) {
            throw new InvalidArgumentException(
                    "the URI has no scheme that names a backend, " + ServiceUri.EXAMPLES + " (" + found() + ")");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        List<LockBackendProvider> providers = serving.getOrDefault(scheme, List.of());
        if (providers.isEmpty()) {
            throw new InvalidArgumentException("no backend for the scheme '" + scheme + "' (" + found() + ")"
                    + hint(scheme) + (broken.isEmpty() ? "" : "; could not be loaded: " + broken));
        }
        if (providers.size() > 1) {
            throw new InvalidArgumentException("several backends serve '" + scheme + "': "
                    + providers.stream()
                            .map(provider -> provider.getClass().getName())
                            .toList()
                    + "; keep one of them (" + found() + ")");
        }
        return providers.get(0);
    }

    String found() {
        return serving.isEmpty() ? "none found" : "found " + serving.keySet();
    }

    private static String hint(String scheme) {
        if (scheme.equals("jdbc")) {
            return "; leave out 'jdbc:'; user and password stand before the host: postgresql://user:password@127.0.0.1/app";
        }
        String artifact = ARTIFACTS.get(scheme);
        return artifact == null
                ? "; a URI begins with the scheme of a backend, " + ServiceUri.EXAMPLES
                : "; add the artifact " + artifact
                        + ", or, if it is inside a shaded jar, merge META-INF/services there";
    }
}
