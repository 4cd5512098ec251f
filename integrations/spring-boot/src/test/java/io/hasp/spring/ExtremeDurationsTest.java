package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.ExtremeDurations;
import io.hasp.memory.MemoryServer;
import io.hasp.memory.VirtualTime;
import io.hasp.spring.connection.RedisSettings;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** Each property that is a duration takes extreme ones: it works, or is refused in one line with its name. Those added later are found. */
class ExtremeDurationsTest {
    private static final Set<String> OF_CONNECTION = Set.of("commandTimeout", "acknowledgeWithin");

    static List<String> properties() {
        return Stream.of(HaspProperties.class.getRecordComponents())
                .filter(component -> component.getType() == Duration.class)
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void no_other_public_type_takes_a_duration() {
        assertThat(ExtremeDurations.taken(HaspProperties.class, "io.hasp.spring"))
                .extracting(member -> (Object) member.getDeclaringClass())
                .containsOnly(HaspProperties.class, HaspProperties.Election.class);
        assertThat(properties()).hasSizeGreaterThanOrEqualTo(7).containsAll(OF_CONNECTION);
    }

    @ParameterizedTest
    @MethodSource("properties")
    void an_extreme_duration_works_or_is_refused_by_its_property(String name) {
        String property = "hasp." + DataObjectPropertyName.toDashedForm(name);
        int refused = 0;
        for (Duration duration : ExtremeDurations.all(new SplittableRandom(1))) {
            HaspProperties given = Boot.properties(Map.of(property, duration.toString(), "hasp.acknowledge", "1"));
            if (OF_CONNECTION.contains(name)) {
                if (duration.toHours() != 0 || duration.toMillis() <= 0) {
                    assertThatThrownBy(() -> RedisSettings.requireValid(given))
                            .isInstanceOf(HaspConfigurationException.class)
                            .hasMessageStartingWith(property + " is " + duration + ": it must be ");
                }
                refused++;
                continue;
            }
            VirtualTime time = new VirtualTime();
            try (LockClient client = LockClient.over(
                    new MemoryServer(time).link(), given.options().timing(time).executor(Runnable::run))) {
                assertThat(client.lock("a").tryAcquire()).get().satisfies(Lease::close);
            } catch (InvalidArgumentException e) {
                refused++;
                assertThat(HaspConfigurationException.ofProperty(e))
                        .as("%s=%s", property, duration)
                        .hasMessageStartingWith(property + " is " + duration)
                        .hasMessageContaining("must be");
            }
        }
        assertThat(refused).as("refused").isPositive();
    }

    static List<Duration> extremes() {
        return ExtremeDurations.all(new SplittableRandom(1));
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void an_extreme_pause_of_a_candidate_works_or_is_refused_by_its_property(Duration pause) {
        Boot.withHasp()
                .withPropertyValues(
                        "hasp.uri=memory://pause", "hasp.election.name=leader", "hasp.election.pause=" + pause)
                .run(context -> {
                    if (context.getStartupFailure() == null) {
                        assertThat(pause).isPositive();
                    } else {
                        assertThat(context)
                                .getFailure()
                                .hasStackTraceContaining("hasp.election.pause is " + pause + ": it must be ");
                    }
                });
    }

    /** Spring waits for no time at all then. */
    @ParameterizedTest
    @ValueSource(strings = {"-1s", "PT-9223372036854775808S", "0s", "1ns", "PT9223372036854775807S"})
    void an_extreme_phase_of_the_shutdown_is_refused_by_nothing_of_ours(String phase) {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://phase", "spring.lifecycle.timeout-per-shutdown-phase=" + phase)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(LockClient.class).lock("a").tryAcquire())
                            .get()
                            .satisfies(Lease::close);
                });
    }
}
