package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The signals to a holder whose server stalls, at any phase of heartbeat and renewal. */
@InTier(Tier.STANDARD)
class SilentServerTest {
    private static final Duration SESSION = Duration.ofSeconds(9);

    /** A confirmation is valid for at least half of the session timeout; SUSPECT has to leave a third of that. */
    private static final Duration LEAST_WARNING = SESSION.dividedBy(6).minusMillis(500);

    @Test
    void le5_a_holder_is_suspect_once_and_in_good_time_before_it_is_lost() throws Exception {
        for (int trial = 0; trial < Tier.count(1, 8); trial++) {
            try (ZooKeeperServer server = ZooKeeperServer.start();
                    LockClient client = LockClient.connect(
                            URI.create("zookeeper://" + server.connectString() + "?sessionTimeout="
                                    + SESSION.toSeconds() + "s"),
                            ClientOptions.defaults().renewedLease(Duration.ofMinutes(1)))) {
                List<LeaseState> states = new CopyOnWriteArrayList<>();
                List<Long> moments = new CopyOnWriteArrayList<>();
                Lease lease = client.lock("silent").acquire();
                lease.onChange(Runnable::run, state -> {
                    moments.add(System.nanoTime());
                    states.add(state);
                });
                // Not a wait for something to happen: the phase in which the silence begins.
                TimeUnit.MILLISECONDS.sleep(SESSION.toMillis() * (2 * trial + 1) / 12);

                server.pause();

                await().atMost(SESSION.plusSeconds(5)).until(() -> states.contains(LeaseState.LOST));
                assertThat(states).containsExactly(LeaseState.SUSPECT, LeaseState.LOST);
                assertThat(Duration.ofNanos(moments.get(1) - moments.get(0)))
                        .as("warning before the loss")
                        .isGreaterThan(LEAST_WARNING);
                server.resume();
            }
        }
    }

    @Test
    void le5_a_lock_that_is_taken_right_after_a_silence_is_not_lost_at_once() throws Exception {
        Duration session = Duration.ofSeconds(6);
        try (ZooKeeperServer server = ZooKeeperServer.start();
                LockClient client = LockClient.connect(URI.create(
                        "zookeeper://" + server.connectString() + "?sessionTimeout=" + session.toSeconds() + "s"))) {
            client.lock("a").acquire().release();
            // The session's deadline has nearly passed, but neither the server nor its client library has given it up.
            server.pause();
            TimeUnit.MILLISECONDS.sleep(session.toMillis() * 60 / 100);
            server.resume();

            Lease lease = client.lock("a").acquire();

            List<LeaseState> states = new CopyOnWriteArrayList<>();
            lease.onChange(Runnable::run, states::add);
            assertThat(lease.remaining()).isGreaterThan(session.dividedBy(5));
            TimeUnit.MILLISECONDS.sleep(session.toMillis());
            assertThat(states).doesNotContain(LeaseState.LOST);
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }
}
