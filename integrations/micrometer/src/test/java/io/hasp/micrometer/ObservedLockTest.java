package io.hasp.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseAction;
import io.hasp.LeaseFunction;
import io.hasp.LockClient;
import io.hasp.TryResult;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each call is one observation, whatever comes of it, and what the work observes is a part of it. */
@Timeout(30)
class ObservedLockTest implements ObservationHandler<Observation.Context> {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final LockClient client = LockClient.connect("memory://observed");
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ObservedLock lock = ObservedLock.of(client.lock("orders/42"), registry);
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        events.add(event.getName());
    }

    @Override
    public void onStop(Observation.Context context) {
        stopped.add(context);
    }

    @BeforeEach
    void observe() {
        registry.observationConfig().observationHandler(this);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private Observation.Context only() {
        assertThat(stopped).hasSize(1);
        return stopped.get(0);
    }

    private void awaitStopped() {
        while (stopped.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private String outcome() {
        assertThat(only().getLowCardinalityKeyValues())
                .extracting(KeyValue::getKey)
                .containsExactly("outcome");
        return low(only(), "outcome");
    }

    private static String low(Observation.Context context, String key) {
        return Objects.requireNonNull(context.getLowCardinalityKeyValue(key)).getValue();
    }

    private String high(String key) {
        return Objects.requireNonNull(only().getHighCardinalityKeyValue(key)).getValue();
    }

    @Test
    void a_call_is_observed_from_its_wait_to_its_release() throws InterruptedException {
        String token = lock.call(lease -> {
            assertThat(registry.getCurrentObservation()).isNotNull();
            assertThat(stopped).isEmpty();
            return Long.toString(lease.fencingToken());
        });
        assertThat(only().getName()).isEqualTo("hasp.lock.call");
        assertThat(outcome()).isEqualTo("acquired");
        assertThat(high("lock.name")).isEqualTo("orders/42");
        assertThat(high("lock.token")).isEqualTo(token);
        assertThat(events).containsExactly("lock.acquired");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void a_lock_that_others_have_is_contended_and_no_error() throws InterruptedException {
        Lease held = client.lock("orders/42").tryAcquire().orElseThrow();
        assertThat(lock.tryRun(lease -> {})).isFalse();
        assertThat(lock.tryRun(Duration.ofMillis(1), lease -> {})).isFalse();
        assertThat(lock.tryCall(Duration.ofMillis(1), lease -> "").ran()).isFalse();
        assertThat(held.release()).isNotNull();
        assertThat(stopped)
                .hasSize(3)
                .allMatch(context -> context.getError() == null)
                .allMatch(context -> low(context, "outcome").equals("contended"));
        assertThat(events).isEmpty();
    }

    @Test
    void an_asynchronous_call_is_observed_until_its_future_completes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Boolean> inScope = new CompletableFuture<>();
        CompletableFuture<String> call = lock.callAsync(lease -> {
            inScope.complete(registry.getCurrentObservation() != null);
            return work;
        });
        assertThat(inScope).succeedsWithin(SOON).isEqualTo(true);
        assertThat(stopped).isEmpty();
        assertThat(lock.tryCallAsync(Duration.ZERO, lease -> work))
                .succeedsWithin(SOON)
                .isEqualTo(TryResult.busy());
        awaitStopped();
        assertThat(outcome()).isEqualTo("contended");
        stopped.clear();
        work.complete("done");
        assertThat(call).succeedsWithin(SOON).isEqualTo("done");
        awaitStopped();
        assertThat(outcome()).isEqualTo("acquired");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void an_asynchronous_call_that_is_cancelled_while_it_waits_is_a_failed_one() {
        Lease held = client.lock("orders/42").tryAcquire().orElseThrow();
        CompletableFuture<String> call = lock.callAsync(lease -> CompletableFuture.completedFuture(""));
        assertThat(call.cancel(true)).isTrue();
        assertThat(held.release()).isNotNull();
        awaitStopped();
        assertThat(outcome()).isEqualTo("failed");
    }

    @Test
    void what_the_work_throws_is_the_error_of_a_call_that_had_the_lock() {
        IllegalStateException thrown = new IllegalStateException("the work's own");
        assertThatThrownBy(() -> lock.run(lease -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(outcome()).isEqualTo("acquired");
        assertThat(only().getError()).isSameAs(thrown);
    }

    @Test
    void a_call_that_fails_to_get_the_lock_has_failed() {
        client.close();
        assertThatThrownBy(() -> lock.tryRun(lease -> {})).isInstanceOf(ClientClosedException.class);
        assertThat(outcome()).isEqualTo("failed");
        assertThat(only().getError()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    @SuppressWarnings("NullAway")
    void work_that_is_null_is_refused_as_the_lock_does() {
        LeaseAction<RuntimeException> none = null;
        assertThatThrownBy(() -> lock.run(none)).isInstanceOf(InvalidArgumentException.class);
        assertThat(outcome()).isEqualTo("failed");
    }

    @Test
    void the_meters_of_a_call_carry_no_outcome_before_it_is_known() throws InterruptedException {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        lock.run(lease -> assertThat(meters.get("hasp.lock.call.active").longTaskTimers())
                .singleElement()
                .satisfies(active -> assertThat(active.getId().getTags()).isEmpty())
                .satisfies(active -> assertThat(active.activeTasks()).isEqualTo(1)));
        try (Lease held = client.lock("orders/42").acquire()) {
            assertThat(lock.tryRun(lease -> {})).as("beside " + held).isFalse();
        }
        assertThat(meters.get("hasp.lock.call.lock.acquired").counters())
                .singleElement()
                .satisfies(acquired -> assertThat(acquired.getId().getTags()).isEmpty())
                .satisfies(acquired -> assertThat(acquired.count()).isEqualTo(1));
        assertThat(meters.get("hasp.lock.call").timers())
                .extracting(timer -> timer.getId().getTag("outcome"))
                .containsExactlyInAnyOrder("acquired", "contended");
    }

    /** Refused by name, or as long as a wait can be. */
    @Test
    void extreme_waits_work_or_are_refused_by_name() throws Exception {
        List<Method> methods = Stream.of(ObservedLock.class.getMethods())
                .filter(method -> List.of(method.getParameterTypes()).contains(Duration.class))
                .toList();
        assertThat(methods).hasSizeGreaterThanOrEqualTo(2);
        for (Method method : methods) {
            for (Duration wait : List.of(
                    Duration.ZERO,
                    Duration.ofNanos(1),
                    Duration.ofNanos(-1),
                    Duration.ofNanos(Long.MAX_VALUE).plusNanos(1),
                    Duration.ofSeconds(Long.MAX_VALUE),
                    Duration.ofSeconds(Long.MIN_VALUE))) {
                Object done = method.getReturnType() == CompletableFuture.class
                        ? CompletableFuture.completedFuture("done")
                        : "done";
                Object work = method.getParameterTypes()[1] == LeaseAction.class
                        ? (LeaseAction<RuntimeException>) lease -> {}
                        : (LeaseFunction<Object, RuntimeException>) lease -> done;
                try {
                    Object result = method.invoke(lock, wait, work);
                    assertThat(result instanceof CompletableFuture<?> future ? future.join() : result)
                            .isIn(true, new TryResult.Returned<>("done"));
                    assertThat(wait).isGreaterThanOrEqualTo(Duration.ZERO);
                } catch (InvocationTargetException refused) {
                    assertThat(refused.getCause())
                            .isInstanceOf(InvalidArgumentException.class)
                            .hasMessageStartingWith("wait is " + wait + ": it must be ");
                }
            }
        }
    }
}
