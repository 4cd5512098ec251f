package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.locked.Locked;
import io.hasp.spring.actuator.LeasesHere;
import io.hasp.spring.actuator.LocksEndpoint;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
