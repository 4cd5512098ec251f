package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.conformance.ExtremeDurations;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public method that takes a duration refuses one that is out of its range, by name and rule. Those added later are found. */
class ExtremeDurationsTest {
    private static final RedisConfig CONFIG = RedisConfig.of("localhost", 6379);
    private static final RedlockConfig REDLOCK = new RedlockConfig(
            List.of(CONFIG, RedisConfig.of("localhost", 6380), RedisConfig.of("localhost", 6381)),
            Duration.ofMillis(200));

    private static List<Duration> extremes() {
        List<Duration> all = new ArrayList<>(ExtremeDurations.all(new SplittableRandom(1)));
        all.add(null);
        return all;
    }

    private static Object on(Class<?> type) {
        if (type == RedisConfig.class) {
            return CONFIG;
        } else if (type == RedlockConfig.class) {
            return REDLOCK;
        } else if (type == RedisLocks.class) {
            return RedisLocks.defaults();
        } else if (type == Acknowledgement.class) {
            return new Acknowledgement(1, Duration.ofMillis(50));
        }
        throw new AssertionError("the test knows no value of " + type);
    }

    /** With the duration in one place, and elsewhere what is usual. */
    private static Object called(Executable member, int place, @Nullable Duration duration) throws Exception {
        Object on = on(member.getDeclaringClass());
        Class<?>[] types = member.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (i == place) {
                arguments[i] = duration;
            } else if (member instanceof Constructor<?>) {
                RecordComponent part = member.getDeclaringClass().getRecordComponents()[i];
                arguments[i] = part.getAccessor().invoke(on);
            } else {
                assertThat(types[i]).as("what the test knows a value of").isEqualTo(int.class);
                arguments[i] = 1;
            }
        }
        return member instanceof Method method
                ? method.invoke(on, arguments)
                : ((Constructor<?>) member).newInstance(arguments);
    }

    @Test
    void ap3_extreme_durations_are_refused_by_name_and_rule() throws Exception {
        List<Executable> members = ExtremeDurations.taken(RedisConfig.class, "io.hasp.redis");
        assertThat(members).hasSizeGreaterThanOrEqualTo(5);
        int refused = 0;
        for (Executable member : members) {
            for (int place = 0; place < member.getParameterCount(); place++) {
                if (member.getParameterTypes()[place] != Duration.class) {
                    continue;
                }
                for (Duration duration : extremes()) {
                    try {
                        assertThat(called(member, place, duration).toString()).isNotEmpty();
                    } catch (InvocationTargetException e) {
                        refused++;
                        assertThat(e.getCause())
                                .as("%s with %s", member, duration)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining(" is " + duration + ": it must be from ");
                    }
                }
            }
        }
        assertThat(refused).isGreaterThan(members.size() * 8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://localhost:1?commandTimeout=",
                "redis-cluster://localhost:1?commandTimeout=",
                "redis-sentinel://localhost:1?sentinelMasterId=m&commandTimeout=",
                "redlock://localhost:1,localhost:2,localhost:3?nodeTimeout="
            })
    void ap3_extreme_durations_in_a_uri_are_refused_by_name(String uri) {
        String name = uri.substring(Math.max(uri.lastIndexOf('?'), uri.lastIndexOf('&')) + 1, uri.length() - 1);
        for (String value : List.of(
                "PT9223372036854775807S",
                "PT-9223372036854775808S",
                "999999999999999h",
                "9223372036854775807h",
                "99999999999999999999999s",
                "-1s",
                "PT-1S",
                "11m")) {
            assertThatThrownBy(() -> LockClient.connect(uri + value))
                    .as(uri + value)
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining(name);
        }
    }
}
