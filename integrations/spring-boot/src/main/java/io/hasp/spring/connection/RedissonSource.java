package io.hasp.spring.connection;

import io.hasp.redis.RedisBackend;
import io.hasp.spi.BackendSource;
import io.hasp.spring.HaspProperties.Connection;
import java.util.List;
import java.util.Optional;
import org.redisson.api.RedissonClient;
import org.springframework.util.ClassUtils;

/** A {@link RedissonClient} bean. If the application's data use another object, both must lead to the same server. */
final class RedissonSource implements ConnectionSource {
    private static final String FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

    private final BeansByType beans;
    private final RedisSettings settings;

    RedissonSource(BeansByType beans, RedisSettings settings) {
        this.beans = beans;
        this.settings = settings;
    }

    @Override
    public Connection kind() {
        return Connection.REDISSON;
    }

    @Override
    public Optional<FoundConnection> find() {
        return beans.one(RedissonClient.class)
                .map(found -> new FoundConnection(
                        "Redis by the RedissonClient '" + found.name() + "'",
                        ClassUtils.isPresent(FACTORY, beans.beans().getBeanClassLoader())
                                ? SameServer.beside(beans.beans(), found.bean(), on(found.bean()))
                                : on(found.bean()),
                        List.of(found.name())));
    }

    private BackendSource on(RedissonClient redisson) {
        return RedisBackend.onRedisson(redisson, settings.locks());
    }
}
