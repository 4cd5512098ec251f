package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.BackendFailure;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every part of a URI is read or refused by name, and no message repeats a password. */
class PostgresUriTest {

    @Test
    void all_parts_are_read() {
        PostgresConfig config = PostgresConfig.of(URI.create(
                "postgresql://me:s%40cret@one:5433/data?schema=create&schemaName=locks&prefix=my_&notify=poll"
                        + "&commandTimeout=3s&poolSize=2&sslmode=require"));
        assertThat(config.hosts()).isEqualTo(List.of("one:5433"));
        assertThat(config.database()).isEqualTo("data");
        assertThat(config.credentials().orElseThrow().password()).isEqualTo("s@cret");
        assertThat(config.driver()).containsEntry("sslmode", "require");
        assertThat(config.locks())
                .isEqualTo(new PostgresLocks("locks", "my_", true, Notification.POLL, Duration.ofSeconds(3), 2));
        assertThat(config.toString()).doesNotContain("s@cret").doesNotContain("s%40cret");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://host, names no database",
        "postgresql:///data, no host",
        "postgresql://host/data/more, names no database",
        "postgresql://host/data?schema=yes, takes the word create only",
        "postgresql://host/data?prefix=Hasp, prefix is 'Hasp'",
        "postgresql://host/data?prefix=a;drop, prefix is 'a;drop'",
        "postgresql://host/data?notify=sometimes, known are listen and poll",
        "postgresql://host/data?commandTimeout=1ms, commandTimeout is PT0.001S",
        "postgresql://host/data?poolSize=0, from 1 to 64",
        "postgresql://host/data?unknown=1, is unknown",
        "postgresql://host/data#part, fragment",
    })
    void a_wrong_part_is_refused_by_name(String uri, String message) {
        assertThatThrownBy(() -> PostgresConfig.of(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void no_message_repeats_a_password() {
        for (String uri : List.of(
                "postgresql://me:topsecret@host",
                "postgresql://me:topsecret@host/data?unknown=1",
                "postgresql://me:topsecret@ho_st^/data".replace("^", "%5E"),
                "postgresql://me:topsecret@host/data#x")) {
            assertThatThrownBy(() -> PostgresConfig.of(URI.create(uri)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("topsecret");
        }
        PostgresConfig config = PostgresConfig.of(URI.create("postgresql://me:topsecret@127.0.0.1:1/data"));
        assertThatThrownBy(() -> TestBackend.on(PostgresBackend.on(config)))
                .isInstanceOfSatisfying(BackendFailure.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
                    assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
                    assertThat(failure).hasMessageContaining("127.0.0.1:1/data").hasMessageNotContaining("topsecret");
                });
    }
}
