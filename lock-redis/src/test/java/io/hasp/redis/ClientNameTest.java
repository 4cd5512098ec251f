package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The name that a server shows of the connections. */
class ClientNameTest {
    @ParameterizedTest
    @EnumSource(Library.class)
    void each_connection_has_it(Library library) throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.over(
                        RedisBackend.on(RedisConfig.of("127.0.0.1", server.port())
                                .connection(library)
                                .clientName("shop")),
                        ClientOptions.defaults())) {
            client.lock("a").acquire().close();
            // The last connection is the one that asks.
            assertThat(String.valueOf(server.command("CLIENT", "LIST")).lines().filter(line -> !line.isBlank()))
                    .filteredOn(line -> !line.contains("cmd=client"))
                    .isNotEmpty()
                    .allMatch(line -> line.contains(" name=shop "));
        }
    }

    @Test
    void a_space_is_refused() {
        RedisConfig config = RedisConfig.of("127.0.0.1", 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.clientName("my shop"))
                .withMessage("clientName is 'my shop': it takes printable ASCII without spaces");
    }
}
