package io.hasp.spring;

import io.hasp.redis.Eviction;
import io.hasp.redis.RedisBackend;
import io.hasp.spring.HaspProperties.Connection;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
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
 * The server, options and threads of a {@link LettuceConnectionFactory}. Its native client is not asked for: the factory shuts that
 * down when the application begins to stop, before the locks are released.
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
        RedisSettings.requireNoCluster(name, factory.isClusterAware());
        settings.requireNoReplicas(name);
        LettuceClientConfiguration client = factory.getClientConfiguration();
        RedisURI uri = LettuceAddress.of(factory);
        uri.setTimeout(settings.timeout(client.getCommandTimeout(), RedisURI.DEFAULT_TIMEOUT_DURATION));
        List<String> needed = new ArrayList<>(List.of(name));
        ClientResources resources = factory.getClientResources();
        if (resources == null) {
            resources = ours();
            needed.add(BEAN_NAME);
        }
        RedisClient lettuce = RedisClient.create(resources);
        lettuce.setOptions(client.getClientOptions().orElseGet(ClientOptions::create));
        Eviction eviction = settings.eviction();
        return new FoundConnection(
                LettuceAddress.words(uri) + ", as Spring Data Redis by the LettuceConnectionFactory '" + name + "'",
                RedisBackend.onLettuce(lettuce, uri, settings.keyPrefix(), eviction),
                needed);
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
