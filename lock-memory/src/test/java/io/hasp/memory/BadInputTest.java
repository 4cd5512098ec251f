package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Arguments of a caller without a null checker, or names from elsewhere, are refused by name, before any request. */
@SuppressWarnings("NullAway")
class BadInputTest {
    private static final int MILLION = 1_000_000;

    private final VirtualTime time = new VirtualTime();
    private final ScriptedBackend backend = new ScriptedBackend(new MemoryServer(time).link());
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(backend, options);
    private final DistributedLock lock = client.lock("a");

    private static void refused(String what, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(InvalidArgumentException.class).hasMessage(what + " is null");
    }

    /** Such as an underscore, with which it looks like the form that the message names. */
    @Test
    void ap3_a_name_of_a_memory_service_that_is_no_host_is_refused_with_the_rule() {
        for (String uri : new String[] {"memory://my_tests", "memory://local/locks", "memory://-"}) {
            assertThatThrownBy(() -> LockClient.connect(uri))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("'" + uri + "' is not of the form memory://name")
                    .hasMessageContaining("letters, digits, '-' and '.'");
        }
    }

    @Test
    void ap3_work_that_is_missing_is_refused_before_anything_is_sent() {
        refused("the work", () -> lock.call(null));
        refused("the work", () -> lock.run(null));
        refused("the work", () -> lock.callAsync(null));
        refused("the work", () -> lock.tryCallAsync(Duration.ZERO, null));
        refused("the work", () -> lock.tryCall(Duration.ZERO, null));
        refused("the work", () -> lock.tryRun(null));
        refused("the work", () -> lock.tryRun(Duration.ZERO, null));
        assertThat(backend.listeners).as("what was asked").isEmpty();
    }

    @Test
    void ap3_an_observer_that_is_missing_is_refused_where_it_is_given() {
        Lease lease = lock.tryAcquire().orElseThrow();
        refused("the executor", () -> lease.onChange(null, state -> {}));
        refused("the listener", () -> lease.onChange(Runnable::run, null));
    }

    @Test
    void ap3_a_unit_that_is_missing_is_refused_before_anything_is_sent() {
        assertThat(backend.listeners).as("what was asked").isEmpty();
    }

    @Test
    void ap3_a_service_or_options_that_are_missing_are_refused() {
        URI uri = URI.create("memory://bad-input");
        refused("the URI", () -> LockClient.connect((URI) null));
        refused("the options", () -> LockClient.connect(uri, null));
        refused("the options", () -> LockClient.connect((ClientOptions) null));
        refused("the backend", () -> LockClient.over(null, options));
        refused("the options", () -> LockClient.over(backend, null));
        refused("onLoss", () -> ClientOptions.defaults().onLoss(null));
        refused("onLoss", () -> LockOptions.defaults().onLoss(null));
    }

    @Test
    void ap4_a_message_shows_the_beginning_of_a_huge_name() {
        String huge = "x".repeat(MILLION);
        List<String> names = new ArrayList<>(List.of(huge, huge + "\0", huge + "\ud800"));
        names.add("\ud800" + huge);
        for (String name : names) {
            assertThatThrownBy(() -> client.lock(name))
                    .isInstanceOf(InvalidArgumentException.class)
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200));
        }
    }

    /** Whatever is not out of a range counts as the longest time. */
    @Test
    void the_longest_of_all_durations_is_refused_by_name_or_works() throws Exception {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        Map<String, UnaryOperator<ClientOptions>> all = Map.of(
                "unavailableAfter", given -> given.unavailableAfter(longest),
                "closeWithin", given -> given.closeWithin(longest),
                "keep", given -> given.keep(longest),
                "renewedLease", given -> given.renewedLease(longest),
                "maxHold", given -> given.maxHold(longest));
        for (Map.Entry<String, UnaryOperator<ClientOptions>> option : all.entrySet()) {
            LockClient made;
            try {
                made = LockClient.over(
                        new MemoryServer(time).link(), option.getValue().apply(options));
            } catch (InvalidArgumentException e) {
                assertThat(e).hasMessageStartingWith(option.getKey() + " is " + longest + ": ");
                continue;
            }
            try (made) {
                assertThat(made.lock("a").tryAcquire(longest).orElseThrow().release())
                        .as(option.getKey())
                        .isEqualTo(ReleaseResult.RELEASED);
            }
        }
        try (Lease fixed = client.lock("f", LockOptions.defaults().fixedLease(Duration.ofSeconds(1)))
                .acquire()) {
            assertThatThrownBy(() -> fixed.extend(longest))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageStartingWith("lease is " + longest + ": ");
        }
    }
}
