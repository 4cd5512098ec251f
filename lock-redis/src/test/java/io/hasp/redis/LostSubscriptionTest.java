package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The subscription of a client is lost and does not come back, while its requests are served. */
class LostSubscriptionTest {
    /** The server takes a waiter for dead whose client does not listen, and one far from the front would ask only after seconds. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void li3_its_waiters_ask_at_once_and_say_that_no_message_wakes_them(Through library) throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                TestClient others = new TestClient(Through.JEDIS.source(server, Duration.ofSeconds(5)));
                TestClient waiter = new TestClient(library.source(proxy.port(), Duration.ofSeconds(5)))) {
            others.granted("a");
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            assertThat(entry(server)).contains("|hasp:c:" + waiter.id + "|");

            proxy.refuse();
            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            assertThat(waiter.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("w MAYBE_FREE");
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            assertThat(entry(server)).contains("||");
            others.release("a");
            assertThat(server.command("GET", KEY)).asString().startsWith("1|w|C|");
            assertThat(waiter.granted("w").validity()).isEqualTo(TestClient.LEASE);
            proxy.heal();
        }
    }

    private static String entry(RedisServer server) {
        return String.valueOf(server.command("HGET", KEY + ":w", "w"));
    }
}
