package io.hasp.zookeeper;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Opens {@code zookeeper://…}; {@link ZooKeeperConfig} describes the URI. Found by the service loader. */
public final class ZooKeeperProvider implements LockBackendProvider {
    static {
        ClassPathLibraries.read();
    }

    /** Creates the provider, for the service loader. */
    public ZooKeeperProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zookeeper");
    }

    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        return ZooKeeperBackend.by(ZooKeeperConfig.of(uri));
    }

    @Override
    public List<Finding> diagnose(URI uri, BackendContext context) {
        return new ZooKeeperDiagnosis(ZooKeeperConfig.of(uri), context).run();
    }
}
