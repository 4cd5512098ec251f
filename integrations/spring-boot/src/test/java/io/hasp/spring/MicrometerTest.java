package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import io.hasp.micrometer.LockMetrics;
import io.hasp.micrometer.LockTag;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Metrics of the clients and observations of the calls, with the Micrometer of the generation under test. */
@Timeout(60)
class MicrometerTest {
    private final ApplicationContextRunner hasp =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://metrics", "hasp.clients.ledger.uri=memory://ledger");

    private final ApplicationContextRunner measured = hasp.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    /** Public, since a filtered class loader makes a subclass of it. */
    public static class Jobs {
        @Locked("job")
        public void run(Runnable work) {
            work.run();
        }

        @Locked(value = "job", waitAtMost = "0s", skipIfBusy = true)
        public void unlessBusy() {}

        @Locked(value = "job", waitAtMost = "0s")
        public void atOnce() {}

        @Locked("stage")
        public CompletionStage<String> stage(CompletableFuture<String> work) {
            return work;
        }
    }

    /** Notes what was observed to its end. */
    static final class Ended implements ObservationHandler<Observation.Context> {
        final List<Observation.Context> all = new CopyOnWriteArrayList<>();

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStop(Observation.Context context) {
            all.add(context);
        }

        List<String> outcomes() {
            return all.stream()
                    .map(each -> each.getLowCardinalityKeyValue("outcome"))
                    .map(outcome -> outcome == null ? "" : outcome.getValue())
                    .toList();
        }
    }

    @Test
    void a_health_check_is_not_counted() {
        measured.withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> {
                    Object indicator = context.getBean("haspHealthIndicator");
                    Object health = indicator.getClass().getMethod("health").invoke(indicator);
                    assertThat(health.toString()).startsWith("UP");
                    context.getBean(LockClient.class).lock("work").run(lease -> {});
                    Timer acquired = context.getBean(MeterRegistry.class)
                            .get("hasp.lock.acquire")
                            .tags("client", "lockClient", "outcome", "acquired")
                            .timer();
                    Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> acquired.count() > 0);
                    assertThat(acquired.count())
                            .as("events come in order, so that of the health check would be among them")
                            .isEqualTo(1);
                });
    }

    @Test
    void each_client_is_measured_without_a_property() {
        measured.run(context -> {
            LockClient ledger = context.getBean("ledgerLockClient", LockClient.class);
            ledger.lock("a").run(lease -> {});
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("hasp.lock.held")
                            .tags("client", "ledgerLockClient")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("hasp.lock.acquire")
                            .tags("client", "lockClient", "outcome", "acquired")
                            .timer()
                            .count())
                    .isZero();
        });
    }

    @Test
    void boots_own_registries_are_found() {
        Boot.withMetrics()
                .withPropertyValues("hasp.uri=memory://boots")
                .withBean(Jobs.class)
                .run(context -> {
                    context.getBean(Jobs.class).run(() -> {});
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("hasp.lock.held").timer().count()).isEqualTo(1);
                    assertThat(registry.get("hasp.lock.call").timer().count()).isEqualTo(1);
                });
    }

    @Test
    void the_names_of_locks_are_a_tag_if_a_bean_maps_them() {
        measured.withBean(LockTag.class, () -> name -> name.startsWith("orders/") ? "orders" : null)
                .run(context -> {
                    context.getBean(LockClient.class).lock("orders/42").run(lease -> {});
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("hasp.lock.held")
                                    .tags("client", "lockClient", "lock", "orders")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void metrics_of_the_applications_own_take_their_place() {
        measured.withBean(LockMetrics.class, () -> LockMetrics.on(new SimpleMeterRegistry()))
                .run(context -> assertThat(context.getBean(MeterRegistry.class).getMeters())
                        .isEmpty());
    }

    @Test
    void a_property_switches_them_off() {
        measured.withPropertyValues("hasp.metrics.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
        });
    }

    @Test
    void nothing_is_measured_where_micrometer_or_our_module_for_it_is_missing() {
        for (String missing : List.of("io.micrometer.core", "io.hasp.micrometer", "io.micrometer")) {
            hasp.withClassLoader(new FilteredClassLoader(missing))
                    .withBean(Jobs.class)
                    .run(context -> {
                        assertThat(context).as(missing).hasNotFailed();
                        assertThat(context).doesNotHaveBean(ListenerOfEach.class);
                        context.getBean(Jobs.class).run(() -> {});
                    });
        }
    }

    @Test
    void each_call_that_takes_a_lock_is_observed() {
        Ended ended = new Ended();
        hasp.withBean(Jobs.class)
                .withBean(ObservationRegistry.class, () -> observing(ended))
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    jobs.run(() -> jobs.run(() -> {}));
                    assertThat(ended.all).singleElement().satisfies(call -> {
                        assertThat(call.getName()).isEqualTo("hasp.lock.call");
                        assertThat(String.valueOf(call.getHighCardinalityKeyValue("lock.name")))
                                .contains("job");
                        assertThat(call.getHighCardinalityKeyValue("lock.token"))
                                .isNotNull();
                    });
                    try (Lease other =
                            context.getBean(LockClient.class).lock("job").acquire()) {
                        jobs.unlessBusy();
                        assertThatExceptionOfType(LockBusyException.class)
                                .as("while another has it with token " + other.fencingToken())
                                .isThrownBy(jobs::atOnce);
                    }
                    assertThatExceptionOfType(IllegalStateException.class)
                            .isThrownBy(() -> jobs.run(() -> {
                                throw new IllegalStateException("broken");
                            }));
                    assertThat(ended.outcomes()).containsExactly("acquired", "contended", "contended", "acquired");
                    assertThat(ended.all.get(3).getError()).isInstanceOf(IllegalStateException.class);
                });
    }

    @Test
    void a_stage_is_observed_until_its_lock_was_released() {
        Ended ended = new Ended();
        hasp.withBean(Jobs.class)
                .withBean(ObservationRegistry.class, () -> observing(ended))
                .run(context -> {
                    ObservationRegistry registry = context.getBean(ObservationRegistry.class);
                    CompletableFuture<String> work = new CompletableFuture<>();
                    CompletionStage<String> result = context.getBean(Jobs.class).stage(work);
                    assertThat(ended.all).isEmpty();
                    assertThat(registry.getCurrentObservation())
                            .as("on the thread that called")
                            .isNull();
                    work.complete("done");
                    assertThat(result.toCompletableFuture().get(10, TimeUnit.SECONDS))
                            .isEqualTo("done");
                    Awaitility.await()
                            .atMost(10, TimeUnit.SECONDS)
                            .untilAsserted(() -> assertThat(ended.outcomes()).containsExactly("acquired"));
                });
    }

    @Test
    void observations_are_switched_off_by_a_property_or_replaced_by_a_bean() {
        Ended ended = new Ended();
        ApplicationContextRunner observed =
                hasp.withBean(Jobs.class).withBean(ObservationRegistry.class, () -> observing(ended));
        observed.withPropertyValues("hasp.observations.enabled=false")
                .run(context -> context.getBean(Jobs.class).run(() -> {}));
        List<String> locks = new CopyOnWriteArrayList<>();
        CallObserver own = (lock, call) -> {
            locks.add(lock);
            return call.proceed(lease -> {});
        };
        observed.withBean(CallObserver.class, () -> own)
                .run(context -> context.getBean(Jobs.class).run(() -> {}));
        assertThat(locks).containsExactly("job");
        assertThat(ended.all).isEmpty();
    }

    private static ObservationRegistry observing(Ended ended) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(ended);
        return registry;
    }
}
