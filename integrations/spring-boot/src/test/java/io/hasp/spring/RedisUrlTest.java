package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The property {@code spring.data.redis.url} where Spring Data Redis is not there. */
class RedisUrlTest {
    private static ApplicationContextRunner with(String url) {
        return Boot.withHasp()
                .withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .withPropertyValues("spring.data.redis.url=" + url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#", "/", "?", "^", "[", " ", "%", "\\", "@"})
    void a_raw_special_character_in_the_password_is_an_error_without_the_password(String special) {
        with("redis://:Xa7" + special + "Zq9@127.0.0.1:6379").run(context -> {
            String said = Boot.said(context.getStartupFailure());
            assertThat(said).doesNotContain("Xa7").doesNotContain("Zq9");
            HaspConfigurationException explained = Boot.explained(context.getStartupFailure());
            assertThat(explained).hasMessageContaining("spring.data.redis.url is no URL");
            assertThat(explained.action()).contains("Percent-encode");
        });
    }

    @Test
    void an_encoded_one_and_an_ipv6_address_are_understood() {
        try (RedisServer server = RedisServer.start("bind 127.0.0.1 ::1", "requirepass \"Xa7#Zq9\"")) {
            with("redis://:Xa7%23Zq9@[::1]:" + server.port())
                    .run(context -> context.getBean(LockClient.class)
                            .lock("url")
                            .acquire()
                            .close());
        }
    }
}
