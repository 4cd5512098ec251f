package io.hasp.redis;

import static io.hasp.redis.TestClient.answer;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No sentinel answers, and the master does. */
@InTier(Tier.STANDARD)
class SentinelsDownTest {
    @ParameterizedTest
    @EnumSource(names = {"JEDIS", "LETTUCE"})
    void new_sockets_lead_to_the_master_that_was_known_last_and_to_no_replica(RedisConfig.Library library) {
        try (SentinelServers servers = SentinelServers.start(Duration.ofMinutes(1))) {
            RedisServer master = servers.master();
            RedisServer replica = servers.servers().stream()
                    .filter(server -> server != master)
                    .findFirst()
                    .orElseThrow();
            try (TestClient client = new TestClient(RedisBackend.on(config(servers, library)))) {
                Grant grant = client.granted("a");
                servers.sentinels().forEach(RedisServer::kill);
                master.command("CLIENT", "KILL", "TYPE", "normal");

                await().ignoreExceptionsInstanceOf(BackendFailure.class)
                        .until(() ->
                                answer(client.backend.renew(List.of(grant))).get(0) instanceof Renewal.Renewed);
                client.release("a");
                client.granted("b");

                master.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
                master.command("CLIENT", "KILL", "TYPE", "normal");
                assertThatExceptionOfType(BackendFailure.class)
                        .isThrownBy(() -> client.acquire("c"))
                        .withMessageContaining("is a replica at present");
            }
        }
    }

    private static RedisConfig config(SentinelServers servers, RedisConfig.Library library) {
        return RedisConfig.of(URI.create("redis-sentinel://" + servers.addresses() + "?sentinelMasterId="
                + SentinelServers.MASTER_ID + "&commandTimeout=2s&connection="
                + library.name().toLowerCase(Locale.ROOT)));
    }
}
