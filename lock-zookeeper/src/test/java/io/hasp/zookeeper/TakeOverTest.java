package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time from the kill of a holder's process until the next client has its lock. */
@Timeout(300)
@InTier(Tier.STANDARD)
class TakeOverTest {
    private static final int TRIALS = Tier.count(1, 20);
    private static final Duration SESSION = Duration.ofSeconds(3);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final String LOCK = "take-over";

    @Test
    void zk11_lock_of_a_killed_process_is_taken_within_its_session_timeout_and_two_ticks() throws Exception {
        List<Duration> times = new ArrayList<>();
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            String uri = "zookeeper://" + ensemble.connectString() + "?sessionTimeout=" + SESSION.toMillis() + "ms";
            try (LockClient next = LockClient.connect(URI.create(uri), ClientOptions.defaults())) {
                for (int trial = 0; trial < TRIALS; trial++) {
                    times.add(takeOver(next, uri));
                }
            }
        }
        System.err.println("take-over after SIGKILL: " + times);
        assertThat(Collections.max(times)).isLessThan(SESSION.plus(TICK.multipliedBy(2)));
    }

    private static Duration takeOver(LockClient next, String uri) throws Exception {
        try (ClientJvm doomed = ClientJvm.start("doomed", HaspSubjectFactory.class, uri)) {
            assertThat(doomed.tryAcquire(LOCK, Duration.ofSeconds(20))).isPresent();
            long killed = System.nanoTime();
            doomed.kill();
            try (Lease lease = next.lock(LOCK).acquire()) {
                return Duration.ofNanos(System.nanoTime() - killed);
            }
        }
    }
}
