package io.hasp.spring;

import io.hasp.redis.RedisBackend;
import io.hasp.spi.BackendSource;
import io.hasp.spring.HaspProperties.Connection;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A {@link RedissonClient} bean. Where the application's data go through another object, both must lead to the same server. */
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
                                ? OfSpringData.compared(beans.beans(), found.bean(), on(found.bean()))
                                : on(found.bean()),
                        List.of(found.name())));
    }

    /** Loaded only where Spring Data Redis is. */
    private static final class OfSpringData {
        /** With the one factory that is not a connection of its own kind, such as Redisson's. */
        static BackendSource compared(ListableBeanFactory beans, Object redisson, BackendSource backend) {
            String[] names = beans.getBeanNamesForType(RedisConnectionFactory.class);
            if (names.length != 1) {
                return backend;
            }
            RedisConnectionFactory factory = beans.getBean(names[0], RedisConnectionFactory.class);
            return SameServer.isOfTheLibrary(factory) || uses(factory, redisson)
                    ? backend
                    : new SameServer(names[0], factory, backend);
        }

        /** Redisson's own factory does, where it is made from the bean. */
        private static boolean uses(RedisConnectionFactory factory, Object redisson) {
            for (Field field : ClassUtils.getUserClass(factory).getDeclaredFields()) {
                if (field.getType().isInstance(redisson)
                        && field.trySetAccessible()
                        && ReflectionUtils.getField(field, factory) == redisson) {
                    return true;
                }
            }
            return false;
        }
    }

    private BackendSource on(RedissonClient redisson) {
        return settings.acknowledgement()
                .map(wanted -> RedisBackend.onRedisson(redisson, settings.keyPrefix(), settings.eviction(), wanted))
                .orElseGet(() -> RedisBackend.onRedisson(redisson, settings.keyPrefix(), settings.eviction()));
    }
}
