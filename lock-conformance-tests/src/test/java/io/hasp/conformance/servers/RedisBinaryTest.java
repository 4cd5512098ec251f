package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The choice of the tests' server program. */
class RedisBinaryTest {
    private static final Path PROGRAM = Path.of("server");

    @Test
    void a_server_says_what_it_is() {
        assertThat(RedisBinary.version(PROGRAM, "Redis server v=7.0.15 sha=00000000:0 malloc=libc bits=64 build=1"))
                .isEqualTo("Redis 7.0.15");
        assertThat(RedisBinary.version(PROGRAM, "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64"))
                .isEqualTo("Valkey 8.0.1");
    }

    @Test
    void another_program_is_refused_with_what_it_says() {
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> RedisBinary.version(PROGRAM, "java 17"))
                .withMessageContaining("hasp.redis.server")
                .withMessageContaining("java 17");
    }
}
