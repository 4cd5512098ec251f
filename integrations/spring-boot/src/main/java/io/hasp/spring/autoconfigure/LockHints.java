package io.hasp.spring.autoconfigure;

import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import io.hasp.spi.LockBackendProvider;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers Hasp's resource files and annotations for native images, which contain registered resources only. */
public final class LockHints implements RuntimeHintsRegistrar {
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
    }
}
