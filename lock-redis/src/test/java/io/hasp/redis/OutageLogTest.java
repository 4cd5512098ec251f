package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LogLines;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that stays readable when the server of many leases dies. */
@InTier(Tier.STANDARD)
class OutageLogTest {
    private static final int LEASES = 500;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final AtomicInteger losses = new AtomicInteger();
    private RedisServer server;
    private LockClient client;
    private LogLines log;

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.start();
        log = LogLines.about("outage-", "the lock service ");
        client = LockClient.connect(
                URI.create(server.uri() + "?commandTimeout=500ms"),
                ClientOptions.defaults()
                        .renewedLease(Duration.ofSeconds(6))
                        .closeWithin(Duration.ZERO)
                        .addListener(event -> {
                            if (event instanceof LockEvent.Lost) {
                                losses.incrementAndGet();
                            }
                        }));
    }

    @AfterEach
    void stop() {
        client.closeNow();
        log.close();
        server.close();
    }

    private List<Lease> acquired() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(client.lock("outage-" + i).acquire());
        }
        return leases;
    }

    @Test
    void many_leases_and_a_dead_server_are_a_handful_of_lines() throws Exception {
        List<Lease> leases = acquired();
        server.kill();
        await().atMost(LIMIT).until(() -> leases.stream().allMatch(lease -> lease.state() == LeaseState.LOST));
        await().atMost(LIMIT).until(() -> losses.get() == LEASES);
        server.restart();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> client.lock("outage-after").tryAcquire().isPresent());
        await("the end of the outage, by a renewal")
                .atMost(LIMIT)
                .until(() -> !log.with("the lock service answers again").isEmpty());
        client.closeNow();

        assertThat(log.all()).hasSizeLessThan(12);
        assertThat(log.with("lost the lease of lock 'outage-").get(0))
                .as("the first loss")
                .startsWith("WARNING ")
                .contains("with token ", "not confirmed");
        assertThat(log.count("lost (\\d+) more leases", "lost the lease")).isEqualTo(LEASES);
        assertThat(log.with("the lock service fails")).isNotEmpty();
    }

    @Test
    void closing_many_leases_of_a_dead_server_is_a_handful_of_lines() throws Exception {
        List<Lease> leases = acquired();
        server.kill();
        leases.forEach(Lease::close);
        client.closeNow();

        assertThat(log.all()).hasSizeLessThan(12);
        assertThat(log.with("could not confirm the release of lock 'outage-0': "))
                .hasSize(1);
        assertThat(log.count(
                        "could not confirm the release of (\\d+) more locks", "could not confirm the release of lock"))
                .isEqualTo(LEASES);
    }

    @Test
    void leases_that_are_confirmed_again_are_a_handful_of_lines() throws Exception {
        List<Lease> leases = acquired();
        server.pause();
        await().atMost(LIMIT).until(() -> leases.stream().anyMatch(lease -> lease.state() == LeaseState.SUSPECT));
        server.resume();
        await().atMost(LIMIT)
                .until(() -> leases.stream()
                        .allMatch(lease -> lease.state() == LeaseState.HELD || lease.state() == LeaseState.LOST));
        client.closeNow();

        assertThat(log.all()).hasSizeLessThan(12);
        assertThat(log.with("is SUSPECT")).isNotEmpty();
        assertThat(log.with("confirmed: HELD again")).isNotEmpty();
    }
}
