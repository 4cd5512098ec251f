package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A Redis server, and for each test an empty database and a new proxy before it. */
@Timeout(60)
abstract class RedisBehindProxy {
    static final Duration SHORT = Duration.ofMillis(150);
    static final Duration LONG = Duration.ofSeconds(10);
    static RedisServer redis;

    FaultProxy proxy;

    @BeforeAll
    static void startServer() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @BeforeEach
    void startProxy() {
        redis.command("FLUSHALL");
        proxy = FaultProxy.before(redis.port());
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }

    final RespConnection connect(Duration timeout) throws IOException {
        return RespConnection.open("127.0.0.1", proxy.port(), timeout);
    }

    /** Connected, and known to be. */
    final RespConnection connected() throws IOException {
        RespConnection client = connect(LONG);
        assertThat(client.command("PING")).isEqualTo("PONG");
        return client;
    }

    /** Does not count the connection of this query. */
    static void awaitServerClients(int count) {
        await().atMost(LONG)
                .until(() ->
                        String.valueOf(redis.command("CLIENT", "LIST")).lines().count() == count + 1);
    }
}
