package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.conformance.ExtremeDurations;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything public that takes a duration refuses one that is out of its range, by name and rule. What is added later is found. */
class ExtremeDurationsTest {
    private static final Map<Class<?>, Object> USUAL = Map.of(
            ZooKeeperConfig.class,
            ZooKeeperConfig.of("localhost:2181"),
            ZooKeeperLocks.class,
            ZooKeeperLocks.defaults());

    private static void made(Constructor<?> of, int place, @Nullable Duration duration) throws Exception {
        Object[] arguments = new Object[of.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            RecordComponent part = of.getDeclaringClass().getRecordComponents()[i];
            arguments[i] = i == place ? duration : part.getAccessor().invoke(USUAL.get(of.getDeclaringClass()));
        }
        of.newInstance(arguments);
    }

    @Test
    void ap3_extreme_durations_are_refused_by_name_and_rule() {
        List<Executable> members = ExtremeDurations.taken(ZooKeeperConfig.class, "io.hasp.zookeeper");
        assertThat(members).hasSize(2).allMatch(member -> USUAL.containsKey(member.getDeclaringClass()));
        List<Duration> extremes = new ArrayList<>(ExtremeDurations.all(new SplittableRandom(1)));
        extremes.add(null);
        extremes.removeIf(duration -> duration != null && duration.toHours() == 0 && duration.toMillis() > 0);
        for (Executable member : members) {
            for (int place = 0; place < member.getParameterCount(); place++) {
                if (member.getParameterTypes()[place] == Duration.class) {
                    String name = member.getDeclaringClass()
                            .getRecordComponents()[place]
                            .getName();
                    for (Duration duration : extremes) {
                        int at = place;
                        assertThatThrownBy(() -> made((Constructor<?>) member, at, duration))
                                .isInstanceOf(InvocationTargetException.class)
                                .cause()
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage(name + " is " + duration + ": it must be from 1 ms to 1 h");
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sessionTimeout", "connectionTimeout", "commandTimeout"})
    void ap3_extreme_durations_in_a_uri_are_refused_by_name(String name) {
        for (String value : List.of(
                "PT9223372036854775807S",
                "PT-9223372036854775808S",
                "999999999999999h",
                "9223372036854775807h",
                "99999999999999999999999s",
                "-1s",
                "0s",
                "1us",
                "PT-1S",
                "PT0.000000001S",
                "61m")) {
            assertThatThrownBy(() -> LockClient.connect("zookeeper://localhost:1?" + name + "=" + value))
                    .as(value)
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining(name);
        }
    }
}
