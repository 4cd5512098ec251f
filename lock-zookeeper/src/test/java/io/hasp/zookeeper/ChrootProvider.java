package io.hasp.zookeeper;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/**
 * Serves {@code zookeeper-below://…} as {@code zookeeper://…} is served, but over a Curator client as users have it: on a
 * chroot and in a namespace. So every rule runs on paths that differ from those on the server. Found by the service
 * loader, in client processes as well.
 */
public final class ChrootProvider implements LockBackendProvider {
    static final String SCHEME = "zookeeper-below";
    static final String CHROOT = "/chroot";
    static final String NAMESPACE = "app";

    /** For the service loader. */
    public ChrootProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LockBackend open(URI uri, BackendContext context) {
        ZooKeeperConfig config = ZooKeeperConfig.of(uri);
        CuratorFramework client = connected(config);
        BackendSource source = ZooKeeperBackend.on(client, config.locks());
        return closingToo(source.open(context), client);
    }

    private static CuratorFramework connected(ZooKeeperConfig config) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(config.servers() + CHROOT)
                .namespace(NAMESPACE)
                .sessionTimeoutMs((int) config.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) config.connectionTimeout().toMillis())
                .retryPolicy(new RetryOneTime(100))
                .build();
        client.start();
        try {
            if (client.blockUntilConnected((int) config.connectionTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                return client;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
        throw new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "no ZooKeeper server of " + config.servers() + " answered",
                null);
    }

    /** The client is the user's: the backend leaves it open, and its owner closes it afterwards. */
    private static LockBackend closingToo(LockBackend backend, CuratorFramework client) {
        return (LockBackend) Proxy.newProxyInstance(
                ChrootProvider.class.getClassLoader(),
                new Class<?>[] {LockBackend.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    } finally {
                        if (method.getName().equals("close")) {
                            client.close();
                        }
                    }
                });
    }
}
