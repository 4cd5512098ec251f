package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.processes.Tenant;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The threads below a client of our own serve all callers: they inherit nothing from the one that opened it. */
@Timeout(120)
class InheritedByThreadsTest {
    private static final RedisServer SERVER = RedisServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @EnumSource(Library.class)
    void threads_of_the_library_inherit_nothing_of_the_thread_that_opens_the_client(Library library) throws Exception {
        RedisConfig config = Configs.of(SERVER, library, Duration.ofSeconds(5));
        assertThat(new Tenant().inheritedFrom(() -> LockClient.over(RedisBackend.on(config), ClientOptions.defaults())))
                .isEmpty();
    }
}
