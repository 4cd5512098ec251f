package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An address that leads to another master, which refuses nothing, as soon as sockets are lost one by one. */
class MovedAddressTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final RedisServer old = RedisServer.start();
    private final RedisServer fresh = RedisServer.start();
    private final FaultProxy address = FaultProxy.before(old.port());

    private BackendSource source(Through library) {
        return library.source(address.port(), TIMEOUT);
    }

    @AfterEach
    void stop() throws IOException {
        address.close();
        old.close();
        fresh.close();
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void the_first_new_socket_is_the_sign_of_another_server(Through library) {
        try (TestClient client = new TestClient(source(library))) {
            client.granted("a");
            assertThat(client.signals).isEmpty();
            address.leadTo(fresh.port());
            old.command("CLIENT", "KILL", "TYPE", "normal");

            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.acquire("b") != null);

            await().until(() -> client.signals.containsAll(List.of("a SUSPECT", "a RESTORED")));
            await().atMost(Duration.ofSeconds(5)).until(() -> hears(client));
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fa1_a_restart_without_data_is_a_sign_too(Through library) {
        try (TestClient client = new TestClient(source(library))) {
            Grant grant = client.granted("a");
            old.restartWithoutData();
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.acquire("b") != null);
            await().until(() -> client.signals.containsAll(List.of("a SUSPECT", "a RESTORED")));
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Lost.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void the_same_server_on_a_new_socket_is_no_sign(Through library) {
        try (TestClient client = new TestClient(source(library))) {
            client.granted("a");
            old.command("CLIENT", "KILL", "TYPE", "normal");
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.acquire("b") != null);
            assertThat(client.signals).doesNotContain("a SUSPECT");
        }
    }

    private boolean hears(TestClient client) {
        String channel = "hasp:c:" + client.id;
        return List.of(channel, 1L).equals(fresh.command("PUBSUB", "NUMSUB", channel));
    }
}
