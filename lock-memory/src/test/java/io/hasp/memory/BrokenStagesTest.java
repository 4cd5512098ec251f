package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import io.hasp.locked.spi.Enclosing;
import io.hasp.locked.spi.HeldLeases;
import io.hasp.locked.spi.LockedMethod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stages, suppliers and observers of the program that break their contracts: the lock is given back, the call ends, and its caller
 * receives the failure.
 */
@SuppressWarnings("NullAway") // Null is what they give.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenStagesTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final LockClient client =
            LockClient.over(server.link(), ClientOptions.defaults().onLoss(OnLoss.INTERRUPT));
    private final LockClient other = LockClient.over(server.link(), ClientOptions.defaults());

    @AfterEach
    void nothing_is_held() throws Exception {
        assertThat(other.lock("a").tryAcquire(SOON)).get().satisfies(Lease::close);
        client.close();
        other.close();
        assertThat(server.size()).isZero();
    }

    /** Each is done with "done" where it is of any use. */
    enum Stage {
        WHEN_COMPLETE_THROWS(false),
        WHEN_COMPLETE_IS_NULL(false),
        REGISTERS_AND_THROWS(false),
        NOTHING_BUT_WHEN_COMPLETE(true),
        TO_FUTURE_IS_NULL(true),
        COMPLETES_TWICE(true);

        private final boolean works;

        Stage(boolean works) {
            this.works = works;
        }

        @SuppressWarnings("unchecked")
        CompletionStage<String> make() {
            CompletableFuture<String> done = CompletableFuture.completedFuture("done");
            return (CompletionStage<String>) Proxy.newProxyInstance(
                    BrokenStagesTest.class.getClassLoader(),
                    new Class<?>[] {CompletionStage.class},
                    (proxy, method, args) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.invoke(done, args);
                        } else if (!method.getName().equals("whenComplete")) {
                            if (this == TO_FUTURE_IS_NULL) {
                                return null;
                            }
                            throw new UnsupportedOperationException(method.getName());
                        }
                        return watched(done, (BiConsumer<Object, Throwable>) args[0]);
                    });
        }

        private @Nullable Object watched(CompletableFuture<String> done, BiConsumer<Object, Throwable> watcher) {
            switch (this) {
                case WHEN_COMPLETE_THROWS -> throw new IllegalStateException("broken");
                case WHEN_COMPLETE_IS_NULL -> {
                    return null;
                }
                case REGISTERS_AND_THROWS -> {
                    CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)
                            .execute(() -> watcher.accept("done", null));
                    throw new IllegalStateException("broken");
                }
                case COMPLETES_TWICE -> watcher.accept("done", null);
                default -> {}
            }
            watcher.accept(this == COMPLETES_TWICE ? null : "done", this == COMPLETES_TWICE ? new Error() : null);
            return done;
        }

        private void ends(CompletableFuture<?> call) throws Exception {
            if (works) {
                assertThat(call.get(10, TimeUnit.SECONDS)).asString().contains("done");
            } else {
                assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasStackTraceContaining(this == WHEN_COMPLETE_IS_NULL ? "whenComplete" : "broken");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void work_on_a_stage_that_breaks_gives_the_lock_back(Stage stage) throws Exception {
        stage.ends(client.lock("a").callAsync(lease -> stage.make()));
        stage.ends(client.lock("a").tryCallAsync(SOON, lease -> stage.make()));
        try (Lease lease = client.lock("a").acquire()) {
            stage.ends(lease.callAsync(held -> stage.make()));
        }
        CompletableFuture<String> cancelled = client.lock("a").callAsync(lease -> stage.make());
        cancelled.cancel(true);
    }

    /** A method to be locked. */
    static final class Service {
        @Locked("a")
        @SuppressWarnings("DoNotCallSuggester") // It is looked up by its name.
        CompletionStage<String> work() {
            throw new AssertionError("the body is given");
        }
    }

    private @Nullable Object locked(LockedMethod.Surroundings surroundings, LockedMethod.Body body) throws Throwable {
        return new LockedMethod(Service.class.getDeclaredMethod("work"), () -> client, surroundings)
                .call(new Service(), new Object[0], body);
    }

    private static LockedMethod.Surroundings watchedBy(CallObserver observer) {
        return LockedMethod.Surroundings.of(new HeldLeases(), observer);
    }

    private static LockedMethod.Surroundings within(Enclosing enclosing) {
        return new LockedMethod.Surroundings(new HeldLeases(), enclosing, null, text -> text, CallObserver.NONE);
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void a_locked_method_whose_stage_breaks_gives_the_lock_back(Stage stage) throws Throwable {
        Object result = locked(watchedBy(CallObserver.NONE), stage::make);
        stage.ends(((CompletionStage<?>) result).toCompletableFuture());
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void a_locked_method_within_something_whose_stage_breaks_gives_the_lock_back(Stage stage) throws Throwable {
        CompletableFuture<String> done = CompletableFuture.completedFuture("done");
        LockedMethod.Surroundings within = within(lease -> stage.make());
        if (stage.works) {
            assertThat(locked(within, () -> done)).isInstanceOf(CompletableFuture.class);
        } else {
            assertThatThrownBy(() -> locked(within, () -> done))
                    .hasMessageContaining(stage == Stage.WHEN_COMPLETE_IS_NULL ? "whenComplete" : "broken");
        }
    }

    /** As of a transaction that ends later: until then the lock is held. */
    @ParameterizedTest
    @EnumSource(
            value = Stage.class,
            names = {"NOTHING_BUT_WHEN_COMPLETE", "TO_FUTURE_IS_NULL"})
    void a_locked_method_holds_the_lock_until_that_ends_which_encloses_it(Stage stage) throws Throwable {
        CompletableFuture<String> end = new CompletableFuture<>();
        @SuppressWarnings("unchecked")
        CompletionStage<String> enclosing = (CompletionStage<String>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CompletionStage.class}, (proxy, method, args) -> {
                    if (method.getName().equals("whenComplete")) {
                        return method.invoke(end, args);
                    } else if (stage == Stage.TO_FUTURE_IS_NULL) {
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        locked(within(lease -> enclosing), () -> CompletableFuture.completedFuture("done"));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        end.complete("committed");
    }

    enum Broken {
        OBSERVER_BEFORE,
        OBSERVER_AFTER,
        OBSERVER_TWICE,
        OBSERVER_OF_THE_LEASE,
        ENCLOSING_THROWS,
        ENCLOSING_IS_NULL,
        CLIENT_THROWS,
        CLIENT_IS_NULL,
        BODY_THROWS;

        private CallObserver observer() {
            return (lock, call) -> switch (this) {
                case OBSERVER_BEFORE -> throw new IllegalStateException("broken");
                case OBSERVER_AFTER -> {
                    call.proceed(lease -> {});
                    throw new IllegalStateException("broken");
                }
                case OBSERVER_TWICE -> {
                    call.proceed(lease -> {});
                    yield call.proceed(lease -> {
                        throw new IllegalStateException("broken");
                    });
                }
                case OBSERVER_OF_THE_LEASE ->
                    call.proceed(lease -> {
                        throw new IllegalStateException("broken");
                    });
                default -> call.proceed(lease -> {});
            };
        }

        private CompletionStage<?> enclosing(Runnable ensureHeld) {
            if (this == ENCLOSING_THROWS) {
                throw new IllegalStateException("broken");
            }
            return this == ENCLOSING_IS_NULL ? null : CompletableFuture.completedFuture(null);
        }
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void what_a_container_adds_to_a_locked_method_may_break(Broken broken) throws Throwable {
        LockedMethod method = new LockedMethod(
                Service.class.getDeclaredMethod("work"),
                () -> {
                    if (broken == Broken.CLIENT_THROWS) {
                        throw new IllegalStateException("broken");
                    }
                    return broken == Broken.CLIENT_IS_NULL ? null : client;
                },
                new LockedMethod.Surroundings(
                        new HeldLeases(), broken::enclosing, null, text -> text, broken.observer()));
        assertThatThrownBy(() -> method.call(new Service(), new Object[0], () -> {
                    if (broken == Broken.BODY_THROWS) {
                        throw new InvocationTargetException(null, "broken");
                    }
                    return CompletableFuture.completedFuture("done");
                }))
                .isInstanceOf(
                        broken == Broken.BODY_THROWS ? InvocationTargetException.class : IllegalStateException.class)
                .hasMessageMatching("broken|.* gave null");
    }
}
