package io.hasp.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.redis.Configs;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The master may stand still between its greeting and the question which server it is. */
@InTier(Tier.STANDARD)
class SilentMasterTest {
    @Test
    void a_master_that_does_not_say_what_it_is_is_not_waited_for_without_end() throws Exception {
        try (SentinelServers servers = SentinelServers.start(Duration.ofMinutes(1))) {
            RedisServer master = servers.master();
            LettuceClient client = LettuceClient.of(Configs.endpoint(servers, Duration.ofSeconds(3)));
            try {
                CompletableFuture<Throwable> failed = new LettuceSentinels(client)
                        .connect(address -> client.connect(address).thenApply(connection -> {
                            master.pause();
                            return connection;
                        }))
                        .handle((connection, failure) -> failure);
                assertThat(failed.get(30, TimeUnit.SECONDS)).hasMessageContaining("timed out");
            } finally {
                master.resume();
                client.close();
            }
        }
    }
}
