package io.hasp.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.OnDemandBackend;
import io.hasp.spi.LockBackend;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method with a default is easily forgotten: then the backend behind it is never asked. */
class BackendDecoratorsTest {
    @ParameterizedTest
    @ValueSource(classes = {GuardedBackend.class, OnDemandBackend.class})
    void what_stands_before_a_backend_passes_every_call_on(Class<?> decorator) {
        for (Method method : LockBackend.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                assertThat(decorator.getDeclaredMethods())
                        .as(method.getName())
                        .anyMatch(own -> own.getName().equals(method.getName())
                                && own.getParameterCount() == method.getParameterCount());
            }
        }
    }
}
