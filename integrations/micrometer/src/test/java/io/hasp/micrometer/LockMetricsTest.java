package io.hasp.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.memory.MemoryServer;
import io.hasp.memory.VirtualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each meter counts what its name says. */
class LockMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private Timer acquire(String outcome) {
        return registry.get("hasp.lock.acquire").tag("outcome", outcome).timer();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double count(String name) {
        return registry.get(name).counter().count();
    }

    @Test
    void each_meter_counts_what_its_name_says() {
        LocksInTrouble locks = new LocksInTrouble(LockMetrics.on(registry));
        locks.happen();
        assertThat(acquire("acquired").count()).isEqualTo(6);
        assertThat(acquire("acquired").max(TimeUnit.MILLISECONDS)).isEqualTo(100);
        assertThat(acquire("contended").count()).isEqualTo(1);
        assertThat(acquire("unavailable").count()).isEqualTo(1);
        Timer held = registry.get("hasp.lock.held").timer();
        assertThat(held.count())
                .as("three that were released, one that was deleted, one that was lost")
                .isEqualTo(5);
        assertThat(held.max(TimeUnit.SECONDS)).isBetween(29.0, 60.0);
        assertThat(count("hasp.lock.lost")).isEqualTo(2);
        assertThat(count("hasp.lock.suspect")).isEqualTo(2);
        assertThat(count("hasp.lock.handed.off")).isEqualTo(1);
        Timer delay = registry.get("hasp.renewal.delay").timer();
        assertThat(delay.count()).isPositive();
        assertThat(delay.max(TimeUnit.SECONDS)).isBetween(9.0, 15.0);
        assertThat(gauge("hasp.lock.active")).isEqualTo(1);
        assertThat(gauge("hasp.lock.waiting")).isEqualTo(1);
        locks.client.closeNow();
        assertThat(gauge("hasp.lock.active")).isZero();
        assertThat(gauge("hasp.lock.waiting")).isZero();
    }

    @Test
    void all_meters_are_there_before_anything_happens_and_names_of_locks_are_no_tag() {
        LockMetrics.on(registry);
        assertThat(registry.getMeters().stream()
                        .map(m -> m.getId().getName())
                        .filter(name -> !name.endsWith(".histogram"))
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(
                        "hasp.lock.acquire",
                        "hasp.lock.held",
                        "hasp.lock.lost",
                        "hasp.lock.suspect",
                        "hasp.lock.handed.off",
                        "hasp.lock.waiting",
                        "hasp.lock.active",
                        "hasp.renewal.delay");
        int meters = registry.getMeters().size();
        new LocksInTrouble(LockMetrics.on(registry)).happen();
        assertThat(registry.getMeters()).hasSize(meters);
        assertThat(registry.getMeters()).allSatisfy(LockMetricsTest::hasNoTagOfALock);
    }

    private static void hasNoTagOfALock(Meter meter) {
        assertThat(meter.getId().getTags()).extracting(Tag::getKey).isSubsetOf("outcome", "le");
    }

    @Test
    void a_function_may_map_names_to_few_values_of_a_tag() {
        LockMetrics metrics = LockMetrics.builder(registry)
                .tags("client", "shop")
                .lockTag(name -> name.startsWith("orders/") ? "orders" : null)
                .build();
        new LocksInTrouble(metrics).happen();
        assertThat(registry.get("hasp.lock.lost")
                        .tags("client", "shop", "lock", "orders")
                        .counter()
                        .count())
                .isZero();
        assertThat(registry.get("hasp.lock.lost")
                        .tags("client", "shop", "lock", "other")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("hasp.lock.waiting")
                        .tag("lock", "orders")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("lock"))
                .containsOnly("orders", "other");
    }

    @Test
    void one_listener_counts_several_clients_together() {
        VirtualTime time = new VirtualTime();
        MemoryServer server = new MemoryServer(time);
        ClientOptions options = ClientOptions.defaults().timing(time).addListener(LockMetrics.on(registry));
        List<LockClient> clients =
                List.of(LockClient.over(server.link(), options), LockClient.over(server.link(), options));
        for (LockClient client : clients) {
            assertThat(client.lock("lock of " + clients.indexOf(client)).tryAcquire())
                    .isPresent();
        }
        assertThat(gauge("hasp.lock.active")).isEqualTo(2);
        clients.forEach(LockClient::closeNow);
        assertThat(gauge("hasp.lock.active")).isZero();
    }
}
