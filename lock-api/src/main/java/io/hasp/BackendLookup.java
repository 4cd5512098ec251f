package io.hasp;

import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** Finds the one provider of a URI's scheme among those that {@link ServiceLoader} sees. */
final class BackendLookup {
    /** Where the backends of this project live, for the message only. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "redis", "io.hasp:lock-redis",
            "rediss", "io.hasp:lock-redis",
            "redlock", "io.hasp:lock-redis",
            "zookeeper", "io.hasp:lock-zookeeper",
            "memory", "io.hasp:lock-memory");

    private BackendLookup() {}

    static LockBackendProvider find(URI uri, ClassLoader loader) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        List<LockBackendProvider> serving = new ArrayList<>();
        Set<String> schemes = new TreeSet<>();
        List<String> broken = new ArrayList<>();
        Iterator<LockBackendProvider> providers =
                ServiceLoader.load(LockBackendProvider.class, loader).iterator();
        while (true) {
            try {
                if (!providers.hasNext()) {
                    break;
                }
                LockBackendProvider provider = providers.next();
                schemes.addAll(provider.schemes());
                if (provider.schemes().contains(scheme)) {
                    serving.add(provider);
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(String.valueOf(e.getMessage()));
            }
        }
        if (serving.size() == 1) {
            return serving.get(0);
        }
        throw new InvalidArgumentException(explain(uri, scheme, serving, schemes, broken));
    }

    private static String explain(
            URI uri, String scheme, List<LockBackendProvider> serving, Set<String> schemes, List<String> broken) {
        if (serving.size() > 1) {
            return "several backends serve '" + scheme + "': "
                    + serving.stream()
                            .map(provider -> provider.getClass().getName())
                            .toList()
                    + "; keep one of them on the class path";
        }
        String found = schemes.isEmpty() ? "none found" : "found " + schemes;
        String hint = ARTIFACTS.containsKey(scheme) ? "; add the artifact " + ARTIFACTS.get(scheme) : "";
        String failures = broken.isEmpty() ? "" : "; could not be loaded: " + broken;
        return scheme.isEmpty()
                ? "URI '" + uri + "' has no scheme that names a backend, such as redis:// (" + found + ")"
                : "no backend for the scheme '" + scheme + "' (" + found + ")" + hint + failures;
    }
}
