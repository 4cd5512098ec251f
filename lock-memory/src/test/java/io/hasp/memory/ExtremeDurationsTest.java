package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.DistributedLock;
import io.hasp.DistributedSemaphore;
import io.hasp.ElectionOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LeaseAction;
import io.hasp.LeaseFunction;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockFailure;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.conformance.ExtremeDurations;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import io.hasp.locked.spi.Enclosing;
import io.hasp.locked.spi.HeldLeases;
import io.hasp.locked.spi.LockedMethod;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Renewal;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every public method that takes a {@link Duration} takes extreme ones: it works, or refuses the value by name and rule. A method that
 * is added later is found by reflection.
 */
@SuppressWarnings("NullAway") // Null is the bad input.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExtremeDurationsTest {
    private static final int SEEDS = 200;

    private final MemoryServer server = new MemoryServer(new RealClock());

    private static List<Duration> extremes(SplittableRandom random) {
        List<Duration> all = new ArrayList<>(ExtremeDurations.all(random));
        all.add(null);
        return all;
    }

    /** The engine calls the scheduler of a clock, and gives no null. */
    private static boolean mayCome(Executable member, @Nullable Duration duration) {
        return duration != null || !member.getName().equals("schedule");
    }

    /** Of what users call; the engine calls a scheduler, and makes events and exceptions. */
    private static Stream<Executable> withDurations() {
        return Stream.concat(
                        ExtremeDurations.taken(ClientOptions.class, "io.hasp", "io.hasp.locked").stream(),
                        ExtremeDurations.taken(VirtualTime.class, "io.hasp.memory").stream())
                .filter(member -> member.getDeclaringClass() != ClientTiming.class)
                .filter(member -> !LockFailure.class.isAssignableFrom(member.getDeclaringClass()))
                .filter(member -> !LockEvent.class.isAssignableFrom(member.getDeclaringClass()));
    }

    private static Object argument(Class<?> type, @Nullable Duration duration) {
        if (type == Duration.class) {
            return duration;
        } else if (type == int.class) {
            return 1;
        } else if (type == Collection.class) {
            return List.of();
        } else if (type == Runnable.class) {
            return (Runnable) () -> {};
        } else if (type.getSimpleName().equals("LeaseAction")) {
            return (LeaseAction<RuntimeException>) lease -> {};
        } else if (type == MultiLock.Action.class) {
            return (MultiLock.Action<RuntimeException>) lease -> {};
        } else if (type == MultiLock.Work.class) {
            return (MultiLock.Work<Object, RuntimeException>) lease -> CompletableFuture.completedFuture("done");
        } else if (type.getSimpleName().equals("LeaseFunction")) {
            // The result of work that ends with a future, and any object to other work.
            return (LeaseFunction<Object, RuntimeException>) lease -> CompletableFuture.completedFuture("done");
        }
        throw new AssertionError("the test knows no value of " + type);
    }

    private static Object on(Class<?> type, LockClient client) throws InterruptedException {
        if (type == ClientOptions.class) {
            return ClientOptions.defaults();
        } else if (type == LockOptions.class) {
            return LockOptions.defaults();
        } else if (type == DistributedLock.class) {
            return client.lock("free");
        } else if (type == DistributedSemaphore.class) {
            return client.semaphore("permits", 3);
        } else if (type == ElectionOptions.class) {
            return ElectionOptions.defaults();
        } else if (type == LeaderElection.class) {
            LeaderElection election = client.election("election-" + locks++);
            election.await(Duration.ofSeconds(10));
            return election;
        } else if (type == MultiLock.class) {
            return client.allOf(client.lock("first"), client.lock("second"));
        } else if (type == MultiLease.class) {
            LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(20));
            return client.allOf(client.lock("fixed-first", fixed), client.lock("fixed-second", fixed))
                    .acquire();
        } else if (type == Lease.class) {
            return client.lock("fixed", LockOptions.defaults().fixedLease(Duration.ofSeconds(20)))
                    .acquire();
        }
        return type == VirtualTime.class ? new VirtualTime() : type;
    }

    /** Returns the result of the call, with every lease released; null if it refused the value. */
    private static @Nullable Object called(Executable member, LockClient client, @Nullable Duration duration)
            throws Exception {
        Object[] arguments = Stream.of(member.getParameterTypes())
                .map(type -> argument(type, duration))
                .toArray();
        Object target = member instanceof Method ? on(member.getDeclaringClass(), client) : null;
        try {
            Object result = member instanceof Method method
                    ? method.invoke(target, arguments)
                    : ((Constructor<?>) member).newInstance(arguments);
            result = result instanceof CompletableFuture<?> future ? future.get(10, TimeUnit.SECONDS) : result;
            if (result instanceof Optional<?> optional && optional.orElse(null) instanceof AutoCloseable lease) {
                lease.close();
            }
            return result == null ? "done" : result;
        } catch (InvocationTargetException e) {
            assertThat(e.getCause())
                    .as("%s with %s", member, duration)
                    .isInstanceOf(
                            member.getDeclaringClass() == VirtualTime.class
                                    ? IllegalArgumentException.class
                                    : InvalidArgumentException.class)
                    .hasMessageContaining(" is " + duration + ": it must be ");
            return null;
        } finally {
            if (target instanceof AutoCloseable lease) {
                lease.close();
            }
        }
    }

    @Test
    void ap3_extreme_durations_work_or_are_refused_by_name_and_rule() throws Exception {
        List<Executable> members = withDurations().collect(Collectors.toList());
        assertThat(members).hasSizeGreaterThanOrEqualTo(20);
        try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            for (Executable member : members) {
                for (Duration duration :
                        extremes(new SplittableRandom(member.getName().hashCode()))) {
                    if (!mayCome(member, duration)) {
                        continue;
                    }
                    Object result = called(member, client, duration);
                    if (result instanceof ClientOptions options) {
                        works(options);
                    } else if (result instanceof LockOptions options) {
                        works(client, options);
                    } else if (result instanceof ElectionOptions options) {
                        works(client, options);
                    }
                }
            }
        }
    }

    private void works(LockClient client, ElectionOptions options) {
        try (LeaderElection election = client.election("of-options-" + locks++, options)) {
            assertThat(election.await(Duration.ofSeconds(10))).isPresent();
        } catch (InvalidArgumentException refused) {
            assertThat(refused).hasMessageContaining("must");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void works(ClientOptions options) {
        LockClient client;
        try {
            client = LockClient.over(server.link(), options);
        } catch (InvalidArgumentException refused) {
            return;
        }
        try (client) {
            works(client, LockOptions.defaults());
        }
    }

    /** A backend that answers with them loses nothing; and no further type of the contract has durations. */
    @Test
    void extreme_durations_of_a_backend_lose_no_queue_and_no_lease() {
        assertThat(ExtremeDurations.taken(LockBackend.class, "io.hasp.spi"))
                .extracting(member -> member.getDeclaringClass().getSimpleName())
                .containsOnly(
                        "Busy",
                        "BackendDeclaration",
                        "Capabilities",
                        "Claim",
                        "Grant",
                        "LogQueue",
                        "Renewed",
                        "Timing");
        VirtualTime time = new VirtualTime();
        MemoryServer virtual = new MemoryServer(time);
        ScriptedBackend backend = new ScriptedBackend(virtual.link());
        try (LockClient client =
                LockClient.over(backend, ClientOptions.defaults().timing(time).executor(Runnable::run))) {
            for (Duration extreme : ExtremeDurations.all(new SplittableRandom(1))) {
                survives(extreme, client, backend, time);
            }
        }
    }

    private static void survives(Duration extreme, LockClient client, ScriptedBackend backend, VirtualTime time) {
        backend.onAcquire = (claim, call) -> CompletableFuture.completedFuture(new Attempt.Busy(extreme));
        CompletableFuture<Optional<Lease>> refused = client.lock("a").tryAcquireAsync(Duration.ofMillis(50));
        time.advance(Duration.ofMillis(50));
        assertThat(refused).as("polling after %s", extreme).isCompletedWithValue(Optional.empty());
        backend.onAcquire =
                (claim, call) -> CompletableFuture.completedFuture(new Attempt.Granted(Grant.of(claim, 1, extreme)));
        CompletableFuture<Optional<Lease>> brief = client.lock("b").tryAcquireAsync(Duration.ZERO);
        backend.onAcquire = (claim, call) -> call.get();
        backend.onRenew = (held, call) -> CompletableFuture.completedFuture(held.stream()
                .map(grant -> (Renewal) new Renewal.Renewed(extreme))
                .toList());
        Lease renewed = client.lock("c").tryAcquire().orElseThrow();
        time.advance(Duration.ofMinutes(1));
        assertThat(brief).as("good for %s", extreme).isDone();
        assertThat(renewed.state())
                .as("renewed for %s", extreme)
                .isEqualTo(extreme.compareTo(Duration.ofMinutes(1)) > 0 ? LeaseState.HELD : LeaseState.LOST);
        backend.onRenew = (held, call) -> call.get();
        renewed.release();
        brief.thenAccept(lease -> lease.ifPresent(Lease::release)).exceptionally(failure -> null);
    }

    /** Methods of a container, each with one duration. */
    static final class Service {
        @Locked(value = "of-method", waitAtMost = GIVEN)
        void waitAtMost() {}

        @Locked(value = "of-method", fixedLease = GIVEN)
        void fixedLease() {}

        @Locked(value = "of-method", renewedLease = GIVEN)
        void renewedLease() {}

        @Locked(value = "of-method", takenAtLeast = GIVEN)
        void takenAtLeast() {}
    }

    private static final String GIVEN = "as given";

    @Test
    void extreme_durations_of_a_locked_method_work_or_are_refused_by_name() throws Throwable {
        assertThat(Stream.of(Locked.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> name.matches("wait.*|takenAtLeast|.*Lease|.*Within|.*After|.*Hold")))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Service.class.getDeclaredMethods())
                        .map(Method::getName)
                        .toList());
        try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            for (Method method : Service.class.getDeclaredMethods()) {
                for (Duration extreme : ExtremeDurations.all(new SplittableRandom(1))) {
                    called(client, method, extreme);
                }
            }
        }
    }

    private static void called(LockClient client, Method method, Duration extreme) throws Throwable {
        LockedMethod locked;
        try {
            locked = new LockedMethod(
                    method,
                    () -> client,
                    new LockedMethod.Surroundings(
                            new HeldLeases(),
                            Enclosing.NOTHING,
                            null,
                            text -> text.equals(GIVEN) ? extreme.toString() : text,
                            CallObserver.NONE));
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining(method.getName()).hasMessageContaining(extreme.toString());
            return;
        }
        // A lock that stays taken is another one's name.
        if (!method.getName().equals("takenAtLeast")) {
            locked.call(new Service(), new Object[0], () -> null);
        }
    }

    private static int locks;

    private static void works(LockClient client, LockOptions options) {
        DistributedLock lock = client.lock("of-options-" + locks++, options);
        try {
            try (Lease lease = lock.tryAcquire().orElseThrow()) {
                assertThat(lease.remaining()).isPositive();
            }
        } catch (InvalidArgumentException refused) {
            assertThat(refused).hasMessageContaining("must");
        }
    }

    /** Options together, since some are bounded by others. */
    @Test
    void ap3_extreme_options_together_work_or_are_refused() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Duration> extremes = extremes(random);
            List<UnaryOperator<ClientOptions>> setters = List.of(
                    options -> options.renewedLease(any(extremes, random)),
                    options -> options.unavailableAfter(any(extremes, random)),
                    options -> options.maxHold(any(extremes, random)),
                    options -> options.keep(any(extremes, random)),
                    options -> options.closeWithin(any(extremes, random)));
            ClientOptions options = ClientOptions.defaults();
            for (UnaryOperator<ClientOptions> setter : setters) {
                try {
                    options = random.nextBoolean() ? setter.apply(options) : options;
                } catch (InvalidArgumentException refused) {
                    assertThat(refused).hasMessageContaining("must");
                } catch (RuntimeException other) {
                    fail("seed " + seed, other);
                }
            }
            works(options);
        }
    }

    private static @Nullable Duration any(List<Duration> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }

    @Test
    void ap3_extreme_durations_in_a_uri_are_refused_by_name() {
        for (String name : List.of("renewedLease", "keep", "maxHold", "unavailableAfter", "closeWithin")) {
            for (String value : List.of(
                    "PT9223372036854775807S",
                    "9223372036854775807h",
                    "99999999999999999999999s",
                    "-9223372036854775808s",
                    "0s",
                    "1ns",
                    "PT-1S")) {
                URI uri = URI.create("memory://extreme?" + name + "=" + value);
                try (LockClient client = LockClient.connect(uri)) {
                    works(client, LockOptions.defaults());
                } catch (InvalidArgumentException refused) {
                    assertThat(refused).hasMessageContaining(name);
                }
            }
        }
    }

    /** So much can't be added to a clock. */
    @Test
    void virtual_time_that_was_moved_as_far_as_it_goes_stands_still() {
        VirtualTime time = new VirtualTime();
        Map<String, Long> ran = new TreeMap<>();
        time.schedule(Duration.ofDays(1), () -> ran.put("a day", time.nanoTime()));
        time.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> ran.put("never", time.nanoTime()));
        time.advance(Duration.ofDays(2));
        assertThat(ran).containsOnlyKeys("a day");
    }
}
