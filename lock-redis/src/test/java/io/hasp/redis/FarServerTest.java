package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads at once, and a server that is far away and answers each request. */
@InTier(Tier.STANDARD)
class FarServerTest {
    private static final Duration ONE_WAY = Duration.ofMillis(100);
    /** If they waited for a socket each, the last one would take twenty times as long. */
    private static final int THREADS = 1_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int CYCLES = 3;

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_crowd_of_threads_is_no_outage(Through library) throws Exception {
        Queue<LockEvent> doubts = new ConcurrentLinkedQueue<>();
        Queue<Exception> outages = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (RedisServer server = RedisServer.start();
                FaultProxy far = FaultProxy.before(server.port());
                LockClient client = LockClient.over(
                        library.source(far.port(), TIMEOUT),
                        ClientOptions.defaults()
                                .renewedLease(TIMEOUT.multipliedBy(3))
                                .addListener(event -> {
                                    if (event instanceof LockEvent.Suspect) {
                                        doubts.add(event);
                                    }
                                }))) {
            try (Lease warm = client.lock("warm").acquire()) {
                warm.ensureHeld();
            }
            far.set(TrafficPolicy.delayed(ONE_WAY));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = "lock" + i;
                all.add(threads.submit(() -> cycle(client, name, outages)));
            }
            for (Future<?> one : all) {
                one.get();
            }
            far.set(TrafficPolicy.PASS);
        } finally {
            threads.shutdownNow();
        }
        assertThat(outages).isEmpty();
        assertThat(doubts).isEmpty();
    }

    private static void cycle(LockClient client, String name, Queue<Exception> outages) {
        for (int i = 0; i < CYCLES; i++) {
            try {
                client.lock(name + "/" + i).tryAcquire().orElseThrow().close();
            } catch (BackendException e) {
                outages.add(e);
            }
        }
    }
}
