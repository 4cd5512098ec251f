package io.hasp.spring.connection;

import io.hasp.redis.RedisBackend;
import io.hasp.spi.BackendSource;
import io.hasp.spring.HaspProperties.Connection;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The server, options and threads of a {@link LettuceConnectionFactory}. The factory's native client is not used: the
 * factory shuts it down when the application begins to stop, before the locks are released.
 */
final class LettuceSource implements ConnectionSource, DisposableBean {
    private final BeansByType beans;
    private final RedisSettings settings;
    private @Nullable ClientResources ours;

    LettuceSource(BeansByType beans, RedisSettings settings) {
        this.beans = beans;
        this.settings = settings;
    }

    @Override
    public Connection kind() {
        return Connection.LETTUCE;
    }

    @Override
    public Optional<FoundConnection> find() {
        return beans.one(RedisConnectionFactory.class)
                .filter(found -> found.bean() instanceof LettuceConnectionFactory)
                .map(found -> on(found.name(), (LettuceConnectionFactory) found.bean()));
    }

    private FoundConnection on(String name, LettuceConnectionFactory factory) {
        settings.requireNoReplicas(name);
        SameServer.requireFollowed(name, factory, LettuceConnectionFactory.class);
        LettuceClientConfiguration client = factory.getClientConfiguration();
        Duration timeout = settings.timeout(client.getCommandTimeout(), RedisURI.DEFAULT_TIMEOUT_DURATION);
        List<String> needed = new ArrayList<>(settings.needed(name));
        ClientResources resources = factory.getClientResources();
        if (resources == null) {
            resources = ours();
            needed.add(BEAN_NAME);
        }
        ClientOptions options = client.getClientOptions().orElseGet(ClientOptions::create);
        List<RedisURI> nodes = new LettuceAddress(factory, settings).nodes();
        nodes.forEach(node -> node.setTimeout(timeout));
        BackendSource backend = factory.isClusterAware()
                ? cluster(resources, options, nodes)
                : server(resources, options, nodes.get(0));
        String words = LettuceAddress.words(nodes, factory.isClusterAware());
        return new FoundConnection(
                words + ", as Spring Data Redis by the LettuceConnectionFactory '" + name + "'",
                new SameServer(name, factory, backend),
                needed);
    }

    private BackendSource server(ClientResources resources, ClientOptions options, RedisURI uri) {
        RedisClient lettuce = RedisClient.create(resources);
        lettuce.setOptions(options);
        return RedisBackend.onLettuce(lettuce, uri, settings.locks());
    }

    private BackendSource cluster(ClientResources resources, ClientOptions options, List<RedisURI> nodes) {
        RedisClusterClient lettuce = RedisClusterClient.create(resources, nodes);
        lettuce.setOptions(ClusterClientOptions.builder(options).build());
        return RedisBackend.onLettuceCluster(lettuce, nodes, settings.locks());
    }

    /** The name of this bean. */
    static final String BEAN_NAME = "haspLettuceSource";

    private synchronized ClientResources ours() {
        if (ours == null) {
            ours = DefaultClientResources.create();
        }
        return ours;
    }

    /** The factory had no threads to share. */
    @Override
    public synchronized void destroy() {
        if (ours != null) {
            ours.shutdown(0, Duration.ofSeconds(2).toMillis(), TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(Duration.ofSeconds(2).toMillis());
        }
    }
}
