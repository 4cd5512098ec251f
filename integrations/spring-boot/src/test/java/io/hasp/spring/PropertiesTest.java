package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.Ordering;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Wrong values are refused by the names of their properties, and switches take each word for off. */
class PropertiesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hasp.key-prefix=a b      | hasp.key-prefix is 'a b'",
                "hasp.command-timeout=-1s | hasp.command-timeout is PT-1S",
                "hasp.command-timeout=0s  | hasp.command-timeout is PT0S",
                "hasp.acknowledge=0       | hasp.acknowledge is 0",
                "hasp.acknowledge-within=1s | hasp.acknowledge-within is PT1S, and hasp.acknowledge is not set"
            })
    void a_wrong_value_for_the_applications_connection_is_one_line_with_the_property(String property, String line) {
        for (String client : new String[] {"lettuce", "jedis"}) {
            Boot.withRedis(
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=1",
                            "spring.data.redis.client-type=" + client,
                            property)
                    .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                            .hasMessageStartingWith(line)
                            .hasMessageNotContaining("\n"));
        }
    }

    /** Spring Boot reads a number as milliseconds. */
    @Test
    void each_duration_without_a_unit_is_refused_in_one_line_with_its_property() {
        List<String> properties = Stream.of(HaspProperties.class.getRecordComponents())
                .filter(component -> component.getType() == Duration.class)
                .map(component -> "hasp." + DataObjectPropertyName.toDashedForm(component.getName()))
                .toList();
        assertThat(properties).contains("hasp.renewed-lease", "hasp.acknowledge-within");
        for (String property : properties) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=memory://units", property + "=30")
                    .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                            .hasMessage(property + " is 30, without a unit")
                            .extracting(HaspConfigurationException::action)
                            .isEqualTo("Write one, such as 30s or 30ms."));
        }
        Boot.withHasp()
                .withPropertyValues("hasp.clients.ledger.uri=memory://units?renewedLease=30")
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageStartingWith("hasp.clients.ledger.uri: ")
                        .hasMessageContaining("renewedLease=30"));
    }

    @Test
    void acknowledge_and_ordering_are_properties() {
        assertThat(Boot.properties(Map.of("hasp.ordering", "fifo")).options().ordering())
                .isEqualTo(Ordering.FIFO);
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://order", "hasp.acknowledge=1")
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageStartingWith("hasp.acknowledge is for the application's own connection"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void a_grant_on_the_applications_connection_waits_for_as_many_replicas_as_acknowledge_says(String client) {
        try (RedisServer alone = RedisServer.start()) {
            Boot.withRedis(
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + alone.port(),
                            "spring.data.redis.client-type=" + client,
                            "hasp.acknowledge=1",
                            "hasp.acknowledge-within=20ms")
                    .run(context -> assertThatExceptionOfType(BackendException.class)
                            .isThrownBy(() ->
                                    context.getBean(LockClient.class).lock("a").tryAcquire())
                            .withMessageContaining("acknowledge"));
        }
    }

    @Test
    void a_uri_may_name_several_ipv6_hosts() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=redis-cluster://[::1]:1,[::1]:2?commandTimeout=200ms")
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageStartingWith("hasp.uri: could not connect to redis-cluster://[::1]:1,[::1]:2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "no", "0", "FALSE"})
    void each_word_for_off_switches_it_off(String off) {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://off", "hasp.enabled=" + off)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
        Boot.withMetrics()
                .withPropertyValues("hasp.uri=memory://off", "hasp.metrics.enabled=" + off)
                .withPropertyValues("hasp.observations.enabled=" + off)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ListenerOfEach.class)
                        .doesNotHaveBean("haspObservedCalls"));
    }

    static class Good {
        @Locked("a")
        void run() {}
    }

    @Test
    void beside_a_client_of_the_applications_own_the_advice_is_to_mark_or_name_one() {
        Boot.withHasp()
                .withPropertyValues("hasp.clients.ledger.uri=memory://ledger")
                .withBean("mine", LockClient.class, () -> LockClient.connect("memory://mine"))
                .withBean(Good.class)
                .run(context -> assertThat(
                                Boot.explained(context.getStartupFailure()).action())
                        .startsWith("Mark one of the LockClient beans with @Primary"));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(HaspAutoConfiguration.class)
    static class TwoFactories {
        @Bean
        LettuceConnectionFactory one() {
            return new LettuceConnectionFactory("127.0.0.1", 1);
        }

        @Bean
        LettuceConnectionFactory two() {
            return new LettuceConnectionFactory("127.0.0.1", 2);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void two_connection_factories_show_our_line_and_not_that_of_spring(CapturedOutput output) {
        SpringApplication application = new SpringApplication(TwoFactories.class);
        assertThatExceptionOfType(Exception.class).isThrownBy(application::run);
        assertThat(output)
                .contains("there are several beans of type RedisConnectionFactory for the locks: one, two")
                .contains("Mark one of them with @Primary, or set hasp.uri.");
    }

    @Test
    void the_switch_of_the_health_indicator_has_metadata() throws IOException {
        StringBuilder all = new StringBuilder();
        for (URL each : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            all.append(new String(each.openStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(all).contains("\"management.health.hasp.enabled\"");
    }

    /** Those of the metadata, which the annotation processor writes. */
    private static Set<String> properties() throws IOException {
        Set<String> names = new TreeSet<>();
        for (URL metadata : Collections.list(
                PropertiesTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            String text = new String(metadata.openStream().readAllBytes(), StandardCharsets.UTF_8);
            names.addAll(found("\"name\": \"(hasp\\.[a-z.-]+)\"", text.substring(text.indexOf("\"properties\""))));
        }
        return names;
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void the_page_names_each_property_and_no_other() throws IOException {
        String page = Files.readString(Path.of("../../docs/spring-boot.md"));
        Set<String> named =
                found("`(hasp\\.[a-z]+[a-z.-]*[a-z])[=.`]", page.replace("hasp.clients.NAME.uri", "hasp.clients"));
        assertThat(named).contains("hasp.uri").isEqualTo(properties());
    }
}
