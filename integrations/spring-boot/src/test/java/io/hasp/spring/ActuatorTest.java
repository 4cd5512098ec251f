package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockView;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.locked.Locked;
import io.hasp.spring.actuator.LeasesHere;
import io.hasp.spring.actuator.LocksEndpoint;
import io.hasp.spring.actuator.LocksOnServers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health indicator and the endpoint {@code locks}. */
@Timeout(60)
class ActuatorTest {
    private final ApplicationContextRunner exposed = Boot.withHasp()
            .withPropertyValues("hasp.uri=memory://actuator", "management.endpoints.web.exposure.include=*");

    static class Work {
        @Locked("work")
        public void run() {}
    }

    @Test
    void the_endpoint_shows_what_is_held_and_who_waits() {
        exposed.withBean(Work.class).run(context -> {
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            assertThat(endpoint.locks().held()).isEmpty();
            Lease lease = context.getBean(LockClient.class).lock("work").acquire();
            CompletableFuture<Void> waiting =
                    CompletableFuture.runAsync(() -> context.getBean(Work.class).run());
            Awaitility.await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> {
                assertThat(endpoint.locks().held()).singleElement().satisfies(held -> {
                    assertThat(held.client()).isEqualTo("lockClient");
                    assertThat(held.lock()).isEqualTo("work");
                    assertThat(held.fencingToken()).isEqualTo(Long.toString(lease.fencingToken()));
                    assertThat(held.suspect()).isFalse();
                });
                assertThat(endpoint.locks().waiting()).isEqualTo(Map.of("work", 1));
            });
            CompletableFuture<Lease> unannotated = context.getBean(LockClient.class)
                    .lock("work")
                    .acquireAsync()
                    .toCompletableFuture();
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .until(() -> endpoint.locks().waiting().equals(Map.of("work", 2)));
            lease.close();
            unannotated.thenAccept(Lease::close);
            waiting.get(10, TimeUnit.SECONDS);
            Awaitility.await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> {
                assertThat(endpoint.locks().held()).isEmpty();
                assertThat(endpoint.locks().waiting()).isEmpty();
            });
        });
    }

    @Test
    void the_endpoint_of_one_name_shows_holders_and_waiters_of_other_processes() {
        exposed.withPropertyValues("spring.application.name=shop", "hasp.clients.other.uri=memory://other")
                .run(context -> {
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    LockClient here = context.getBean("lockClient", LockClient.class);
                    try (LockClient elsewhere = LockClient.connect(
                                    "memory://actuator",
                                    ClientOptions.defaults().label("orders-7f9c"));
                            Lease lease = elsewhere.lock("orders/42").acquire()) {
                        CompletableFuture<Lease> waiting =
                                here.lock("orders/42").acquireAsync().toCompletableFuture();
                        Awaitility.await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> {
                            LocksOnServers.OnServer seen = seen(endpoint.lock("orders", "42"), "lockClient");
                            assertThat(seen.holders()).singleElement().satisfies(holder -> {
                                assertThat(holder.label()).isEqualTo("orders-7f9c");
                                assertThat(holder.fencingToken()).isEqualTo(Long.toString(lease.fencingToken()));
                                assertThat(holder.millisecondsLeft()).isBetween(1L, 30_000L);
                            });
                            assertThat(seen.waiters())
                                    .singleElement()
                                    .satisfies(
                                            waiter -> assertThat(waiter.label()).startsWith("shop@"));
                            assertThat(seen.waiting()).isEqualTo(1);
                            assertThat(seen.kind()).isEqualTo(LockView.Kind.EXCLUSIVE);
                        });
                        LocksOnServers.OnServer other = seen(endpoint.lock("orders", "42"), "otherLockClient");
                        assertThat(other.kind())
                                .as("not in use on the other service")
                                .isNull();
                        assertThat(other.failure()).isNull();
                        lease.close();
                        waiting.get(10, TimeUnit.SECONDS).close();
                    }
                });
    }

    @Test
    void a_wrong_name_is_a_bad_request_and_an_outage_is_shown_and_is_not_a_free_lock() {
        try (RedisServer redis = RedisServer.start()) {
            exposed.withPropertyValues("hasp.clients.down.uri=" + redis.uri() + "?commandTimeout=200ms")
                    .run(context -> {
                        LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                        assertThatThrownBy(() -> endpoint.lock("x".repeat(513)))
                                .isInstanceOf(InvalidEndpointRequestException.class)
                                .hasMessageContaining("512");
                        redis.kill();
                        assertThat(seen(endpoint.lock("work"), "downLockClient").failure())
                                .isNotBlank();
                        assertThat(seen(endpoint.lock("work"), "lockClient").failure())
                                .isNull();
                    });
        }
    }

    private static LocksOnServers.OnServer seen(LocksEndpoint.OneLock lock, String client) {
        return lock.services().stream()
                .filter(each -> each.client().equals(client))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void an_endpoint_that_is_not_exposed_costs_nothing() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://actuator")
                .run(context ->
                        assertThat(context).doesNotHaveBean(LocksEndpoint.class).doesNotHaveBean(LeasesHere.class));
    }

    @Test
    void a_lease_that_its_server_does_not_confirm_is_shown_as_suspect_and_the_health_is_down() {
        try (RedisServer redis = RedisServer.start()) {
            exposed.withPropertyValues("hasp.uri=" + redis.uri() + "?renewedLease=6s")
                    .run(context -> {
                        assertThat(health(context.getBean("haspHealthIndicator")))
                                .startsWith("UP");
                        Lease lease =
                                context.getBean(LockClient.class).lock("work").acquire();
                        redis.pause();
                        try {
                            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                            Awaitility.await()
                                    .atMost(10, TimeUnit.SECONDS)
                                    .until(() ->
                                            endpoint.locks().held().stream().anyMatch(LeasesHere.HeldLease::suspect));
                            assertThat(health(context.getBean("haspHealthIndicator")))
                                    .startsWith("DOWN")
                                    .contains("lockClient=");
                        } finally {
                            redis.resume();
                        }
                        assertThat(lease.release()).isNotNull();
                    });
        }
    }

    @Test
    void an_application_that_connects_lazily_starts_before_its_service_and_is_down_until_that_runs() {
        try (RedisServer redis = RedisServer.start()) {
            redis.kill();
            exposed.withPropertyValues("hasp.uri=" + redis.uri(), "hasp.connect=lazy")
                    .withPropertyValues("hasp.clients.other.uri=" + redis.uri() + "?keyPrefix=other")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(health(context.getBean("haspHealthIndicator")))
                                .startsWith("DOWN")
                                .contains("lockClient=", "otherLockClient=", "not connected yet");
                        redis.restart();
                        Awaitility.await()
                                .atMost(10, TimeUnit.SECONDS)
                                .until(() -> health(context.getBean("haspHealthIndicator"))
                                        .startsWith("UP"));
                        context.getBean("lockClient", LockClient.class)
                                .lock("work")
                                .acquire()
                                .close();
                    });
        }
    }

    @Test
    void the_health_of_several_clients_takes_no_longer_than_that_of_one() {
        try (RedisServer redis = RedisServer.start()) {
            String uri = redis.uri() + "?commandTimeout=2s&keyPrefix=";
            ApplicationContextRunner several = exposed.withPropertyValues("hasp.uri=" + uri + "one");
            for (int i = 0; i < 5; i++) {
                several = several.withPropertyValues("hasp.clients.c" + i + ".uri=" + uri + i);
            }
            several.run(context -> {
                redis.pause();
                try {
                    long begun = System.nanoTime();
                    assertThat(health(context.getBean("haspHealthIndicator"))).startsWith("DOWN");
                    assertThat(Duration.ofNanos(System.nanoTime() - begun))
                            .as("of six clients, one after the other 12 s")
                            .isLessThan(Duration.ofSeconds(10));
                } finally {
                    redis.resume();
                }
            });
        }
    }

    /** Its type has another name in each generation. */
    private static String health(Object indicator) throws ReflectiveOperationException {
        return indicator.getClass().getMethod("health").invoke(indicator).toString();
    }

    @Test
    void the_health_indicator_can_be_switched_off() {
        exposed.withPropertyValues("management.health.hasp.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("haspHealthIndicator"));
    }
}
