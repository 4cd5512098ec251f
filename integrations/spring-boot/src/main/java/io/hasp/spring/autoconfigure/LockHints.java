package io.hasp.spring.autoconfigure;

import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import io.hasp.spi.LockBackendProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers Hasp's resource files and annotations for native images, which contain registered resources only. */
public final class LockHints implements RuntimeHintsRegistrar {
    /** The field by which a factory is compared with the locks' own connection. */
    private static final Map<String, String> FACTORIES = Map.of(
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", "configuration",
            "org.springframework.data.redis.connection.jedis.JedisConnectionFactory", "configuration",
            "org.redisson.spring.data.connection.RedissonConnectionFactory", "redisson");

    private static final List<String> LOOKED_FOR = List.of(
            "org.springframework.data.redis.connection.RedisConnectionFactory",
            "org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor",
            "org.springframework.orm.jpa.support.OpenEntityManagerInViewFilter");

    public LockHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("META-INF/services/io.hasp.spi.LockBackendProvider")
                .registerPattern("io/hasp/redis/script/*.lua")
                .registerPattern("io/hasp/redis/script/*/*.lua")
                .registerPattern("io/hasp/redis/script/*/*/*.lua");
        ServiceLoader.load(LockBackendProvider.class, loader).stream()
                .forEach(backend ->
                        hints.reflection().registerType(backend.type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
        hints.reflection().registerType(Locked.class).registerType(LockKey.class);
        ClassLoader present = loader == null ? LockHints.class.getClassLoader() : loader;
        FACTORIES.forEach((type, field) ->
                hints.reflection().registerTypeIfPresent(present, type, hint -> hint.withField(field)));
        LOOKED_FOR.forEach(type -> hints.reflection().registerTypeIfPresent(present, type));
    }
}
