package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each master counts only its own listeners, and passes messages on to all others. */
@InTier(Tier.STANDARD)
class ClusterMessagesTest {
    @RegisterExtension
    static final SharedCluster SHARED = SharedCluster.withReplicas();

    private final ClusterServers cluster = SHARED.servers();

    private TestClient open(String library, RealTiming timing) {
        URI uri = URI.create("redis-cluster://" + cluster.addresses() + "?connection=" + library);
        return new TestClient(Through.source(uri.toString()), timing, timing.threads());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_waiter_is_granted_the_lock_directly_and_told_once_at_each_master(String library) throws Exception {
        int slot = cluster.slot(TestClient.KEY);
        int round = 0;
        for (RedisServer master : cluster.masters()) {
            round++;
            // New ones for each: a client that was redirected asks where the slots are, at any moment after that. If it
            // learns of a move between two copies of a message, it counts none of them, or both.
            try (RealTiming timing = new RealTiming();
                    TestClient one = open(library, timing);
                    TestClient two = open(library, timing)) {
                one.granted("a" + round);
                assertThat(two.acquire("b" + round)).isInstanceOf(Attempt.Busy.class);
                // While a client waits its slot moves, and the client does not know it yet.
                cluster.move(IntStream.of(slot), master);

                assertThat(one.release("a" + round)).isEqualTo(Released.RELEASED);

                assertThat(String.valueOf(master.command("GET", TestClient.KEY)))
                        .startsWith("1|b" + round + "|C|");
                assertThat(two.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("b" + round + " MAYBE_FREE");
                // At once: a claim is short. It may be over when nothing more has come.
                assertThat(two.acquire("b" + round)).isInstanceOf(Attempt.Granted.class);
                assertThat(two.signals.poll(300, TimeUnit.MILLISECONDS)).isNull();
                two.release("b" + round);
            }
        }
        await().until(() -> cluster.masters().stream().allMatch(ClusterMessagesTest::nobodyListens));
    }

    private static boolean nobodyListens(RedisServer master) {
        return String.valueOf(master.command("PUBSUB", "CHANNELS", "hasp:c:*")).equals("[]");
    }
}
