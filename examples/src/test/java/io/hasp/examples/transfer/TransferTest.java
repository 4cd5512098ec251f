package io.hasp.examples.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import io.hasp.test.HaspTest;
import io.hasp.test.TestLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers in opposite directions neither deadlock nor lose money. */
@Timeout(60)
class TransferTest {

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            keepsAllMoney(redis.uri());
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            keepsAllMoney("zookeeper://" + zookeeper.connectString());
        }
    }

    @HaspTest
    @Test
    void both_directions_lock_in_the_same_order(TestLocks locks) throws Exception {
        Accounts accounts = new Accounts();
        Transfer.transfer(locks.client(), accounts, "alice", "bob", 3);
        Transfer.transfer(locks.client(), accounts, "bob", "alice", 2);
        locks.assertLocked("accounts/alice", "accounts/bob", "accounts/alice", "accounts/bob");
    }

    @HaspTest(virtualTime = true)
    @Test
    void an_outage_moves_no_money(TestLocks locks) {
        Accounts accounts = new Accounts();
        locks.makeUnavailable();
        CompletableFuture<Void> transfer = CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> Transfer.transfer(locks.client(), accounts, "alice", "bob", 3))
                        .isInstanceOf(BackendException.class));
        locks.awaitRequest("accounts/alice");
        locks.advance(Duration.ofMinutes(1));
        assertThat(transfer).succeedsWithin(Duration.ofSeconds(10));
        assertThat(accounts.balance("alice")).isZero();
        locks.assertLocked();
    }

    private static void keepsAllMoney(String uri) throws Exception {
        try (Printed printed = Printed.fromNow()) {
            Transfer.main(new String[] {uri});
            assertThat(printed.text()).contains("alice has -25, bob has 25");
        }
    }
}
