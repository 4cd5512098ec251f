package io.hasp.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.ExtremeDurations;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.support.locks.DistributedLock;

/** Each method of registries and their locks that takes a duration takes extreme ones: it works, or refuses the value by name. */
@Timeout(60)
@SuppressWarnings({"NullAway", "LockNotBeforeTry"}) // Null is bad input.
class ExtremeDurationsTest {
    private final LockClient client = LockClient.connect("memory://extreme-registry");
    private final HaspLockRegistry registry =
            new HaspLockRegistry(client, "", LockOptions.defaults().fixedLease(Duration.ofSeconds(20)));
    private final HaspLockRegistry6 registry6 =
            new HaspLockRegistry6(client, "", LockOptions.defaults().fixedLease(Duration.ofSeconds(20)));
    private int keys;

    @AfterEach
    void close() {
        client.closeNow();
    }

    private static Stream<Method> methods() {
        return Stream.concat(
                        ExtremeDurations.taken(HaspLockRegistry.class, "io.hasp.spring.integration").stream()
                                .map(member -> (Method) member),
                        Stream.of(DistributedLock.class.getDeclaredMethods()))
                .filter(method -> List.of(method.getParameterTypes()).contains(Duration.class));
    }

    private Object on(Method method, String key) {
        if (method.getDeclaringClass() == HaspLockRegistry.class) {
            return registry;
        }
        return method.getDeclaringClass() == HaspLockRegistry6.class ? registry6 : registry.obtain(key);
    }

    private void call(Method method, int place, @Nullable Duration duration) throws Exception {
        String key = "key-" + keys++;
        Lock held = registry.obtain(key);
        boolean renews = method.getName().startsWith("renew");
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type == Duration.class ? Duration.ofSeconds(1) : (Object) key)
                .toArray();
        arguments[place] = duration;
        if (renews) {
            held.lock();
        }
        boolean locked = renews;
        try {
            locked |= !Boolean.FALSE.equals(method.invoke(on(method, key), arguments));
        } catch (InvocationTargetException refused) {
            assertThat(refused.getCause())
                    .as("%s with %s", method, duration)
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .matches(text -> text.contains(String.valueOf(duration)), "names the value");
        }
        if (locked) {
            held.unlock();
        }
    }

    @Test
    void ap3_extreme_durations_work_or_are_refused_by_name() throws Exception {
        List<Method> methods = methods().toList();
        assertThat(methods).hasSizeGreaterThanOrEqualTo(4);
        List<Duration> extremes = new ArrayList<>(ExtremeDurations.all(new SplittableRandom(1)));
        extremes.add(null);
        for (Method method : methods) {
            for (int place = 0; place < method.getParameterCount(); place++) {
                for (Duration duration : extremes) {
                    if (method.getParameterTypes()[place] == Duration.class) {
                        call(method, place, duration);
                    }
                }
            }
        }
    }
}
