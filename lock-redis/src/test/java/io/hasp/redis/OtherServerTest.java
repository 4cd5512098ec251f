package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An address that moves from an old master, which is a replica from then on, to a new one, while connections stay. */
class OtherServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(5);

    private final RedisServer old = RedisServer.start();
    private final RedisServer fresh = RedisServer.start();
    private final FaultProxy address = FaultProxy.before(old.port());
    private final AtomicLong now = new AtomicLong();

    @AfterEach
    void stop() {
        address.close();
        old.close();
        fresh.close();
    }

    private TestClient open(Through library) {
        return new TestClient(library.source(address.port(), TIMEOUT), new Clock(now::get), ForkJoinPool.commonPool());
    }

    private void demote() {
        old.command("REPLICAOF", "127.0.0.1", "1");
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void one_refused_call_leads_commands_and_wake_ups_to_the_new_master(Through library) {
        try (TestClient client = open(library)) {
            client.granted("a");
            demote();
            address.leadTo(fresh.port());
            assertThatThrownBy(() -> client.acquire("b")).hasMessageContaining("READONLY");

            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.acquire("c") != null);
            await().until(() -> hears(fresh, client));
            assertThat(fresh.command("GET", TestClient.KEY)).asString().startsWith("1|c|");
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_replica_is_not_hammered_with_connections_and_left_when_the_address_moves_later(Through library) {
        try (TestClient client = open(library)) {
            client.granted("a");
            demote();
            long before = connectionsSoFar();
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> client.tryAcquire("b")).hasMessageContaining("READONLY");
            }
            await().until(() -> hears(old, client));
            // One socket, and one of the subscription; the rest are ours.
            assertThat(connectionsSoFar() - before).isLessThan(10);

            address.leadTo(fresh.port());
            assertThatThrownBy(() -> client.tryAcquire("b")).hasMessageContaining("READONLY");
            now.addAndGet(RECONNECT_AFTER.toNanos());
            assertThatThrownBy(() -> client.tryAcquire("b")).hasMessageContaining("READONLY");
            client.granted("b");
        }
    }

    private static boolean hears(RedisServer server, TestClient client) {
        String channel = "hasp:c:" + client.id;
        return List.of(channel, 1L).equals(server.command("PUBSUB", "NUMSUB", channel));
    }

    private long connectionsSoFar() {
        return String.valueOf(old.command("INFO", "stats"))
                .lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica.",
                "LOADING Redis is loading the dataset in memory",
                "MOVED 3999 127.0.0.1:6381",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "NOREPLICAS Not enough good replicas to write."
            })
    void a_server_that_can_not_write_may_have_lost_its_address(String reply) {
        assertThat(RedisFailures.otherServer(new ErrorReplyException(reply))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OOM command not allowed when used memory > 'maxmemory'.",
                "NOAUTH Authentication required.",
                "WRONGTYPE hasp:{READONLY}:q is of another type than Hasp keeps there"
            })
    void other_refusals_are_those_of_the_right_server(String reply) {
        assertThat(RedisFailures.otherServer(new ErrorReplyException(reply))).isFalse();
    }
}
