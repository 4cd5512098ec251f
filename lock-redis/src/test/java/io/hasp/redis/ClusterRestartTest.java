package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master of a cluster that is restarted, and no other one takes over. */
@InTier(Tier.STANDARD)
class ClusterRestartTest {
    private static final ClusterServers CLUSTER = ClusterServers.start(false, Duration.ofSeconds(10));

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    private static String nameAt(RedisServer master, boolean there) {
        return IntStream.iterate(1, i -> i + 1)
                .mapToObj(i -> "n" + i)
                .filter(name -> (CLUSTER.masterOf("hasp:{" + name + "}") == master) == there)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void fa1_leases_of_a_master_that_was_restarted_are_confirmed_at_the_next_connection(String library)
            throws InterruptedException {
        RedisServer master = CLUSTER.masters().get(0);
        try (LockClient client = LockClient.connect(
                URI.create(Through.uri("redis-cluster://" + CLUSTER.addresses() + "?connection=" + library)),
                ClientOptions.defaults().renewedLease(Duration.ofSeconds(60)).closeWithin(Duration.ZERO))) {
            Lease there = client.lock(nameAt(master, true)).acquire();
            Lease elsewhere = client.lock(nameAt(master, false)).acquire();
            List<LeaseState> states = new CopyOnWriteArrayList<>();
            List<LeaseState> statesElsewhere = new CopyOnWriteArrayList<>();
            there.onChange(Runnable::run, states::add);
            elsewhere.onChange(Runnable::run, statesElsewhere::add);
            master.restart();
            CLUSTER.awaitSettled();
            await().ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> client.lock(there.name())
                            .tryAcquire()
                            .map(lease -> {
                                lease.close();
                                return true;
                            })
                            .orElse(true));
            await().until(() -> states.size() >= 2);
            assertThat(states).startsWith(LeaseState.SUSPECT);
            assertThat(statesElsewhere).isEmpty();
        }
    }
}
