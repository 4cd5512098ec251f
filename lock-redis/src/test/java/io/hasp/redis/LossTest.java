package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Losses that one Redis server may cause; the order of tokens survives them. */
@InTier(Tier.STANDARD)
class LossTest {

    private static TestClient open(RedisServer server, Through library) {
        return new TestClient(library.source(server, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fa1_a_restart_without_data_loses_the_grant_and_keeps_the_order_of_tokens(Through library) {
        try (RedisServer server = RedisServer.start();
                TestClient first = open(server, library)) {
            assertThat(first.backend.capabilities().survives()).isEmpty();
            Grant lost = first.granted("a");
            server.restartWithoutData();
            try (TestClient second = open(server, library)) {
                assertThat(second.granted("b").token()).isGreaterThan(lost.token());
            }
            await().until(() -> first.renew(lost) instanceof Renewal.Lost);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fa3_a_restart_with_every_write_synced_keeps_lock_lease_and_token(Through library) {
        try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync always");
                TestClient first = open(server, library)) {
            Grant kept = first.granted("a");
            server.kill();
            server.restart();
            try (TestClient second = open(server, library)) {
                assertThat(second.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
                assertThat((Long) server.command("PTTL", KEY)).isBetween(1L, TestClient.LEASE.toMillis());
            }
            await().until(() -> first.renew(kept) instanceof Renewal.Renewed);
            assertThat(first.granted("a").token()).isEqualTo(kept.token());
        }
    }

    /**
     * The old master acknowledges and dies before its replica hears of it. The replica's clock is the same machine's here;
     * in general the order holds as long as it is not behind the old master's by more than the time between the two grants.
     */
    @ParameterizedTest
    @EnumSource(Through.class)
    void fa8_a_failover_to_a_replica_that_had_not_heard_gives_two_holders_with_tokens_in_order(Through library) {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start()) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
            await().until(() ->
                    String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
            try (TestClient first = open(master, library)) {
                assertThat(first.backend.capabilities().survives()).doesNotContain(Capabilities.Survives.FAILOVER);
                replica.pause();
                master.command("CLIENT", "KILL", "TYPE", "replica");
                Grant unreplicated = first.granted("a");
                master.kill();
                replica.resume();
                replica.command("REPLICAOF", "NO", "ONE");
                assertThat(replica.command("EXISTS", KEY, KEY + ":t")).isEqualTo(0L);
                try (TestClient second = open(replica, library)) {
                    assertThat(second.granted("b").token()).isGreaterThan(unreplicated.token());
                }
            }
        }
    }
}
