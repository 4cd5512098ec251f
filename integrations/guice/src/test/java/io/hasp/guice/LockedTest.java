package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provider;
import com.google.inject.matcher.Matchers;
import com.google.inject.multibindings.Multibinder;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.OnLoss;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Annotated methods on the in-memory backend; {@link LockedOnServersTest} uses real ones. */
@Timeout(60)
class LockedTest {
    record Order(long id, @Nullable Customer customer) {}

    record Customer(@Nullable String name) {
        public String getCity() {
            return "Ulm";
        }
    }

    /** Its methods return the name of the lock under which they ran. */
    static class Orders {
        private final Provider<Lease> lease;
        private final LockClient locks;

        @Inject
        Orders(Provider<Lease> lease, LockClient locks) {
            this.lease = lease;
            this.locks = locks;
        }

        private String held() {
            assertThat(locks.lock(lease.get().name()).tryAcquire()).isEmpty();
            return lease.get().name();
        }

        @Locked("report")
        String plain() {
            return held();
        }

        @Locked("orders/{id}/{line}")
        String annotated(@LockKey("id") long number, @LockKey("line") String other) {
            return held();
        }

        @Locked("orders/{id}")
        protected String compiled(long id) {
            return held();
        }

        @Locked("{order.customer.name}/{order.customer.city}/{order.id}")
        public String path(@Nullable Order order) {
            return held();
        }

        @Locked("report")
        public void nothing() {
            held();
        }

        @Locked("report")
        public void fails() throws IOException {
            throw new IOException(held());
        }

        @Locked(value = "report", waitAtMost = "0s")
        public String atOnce() {
            return held();
        }

        @Locked(value = "report", waitAtMost = "0s", skipIfBusy = true)
        public void unlessBusy(List<String> ran) {
            ran.add(held());
        }

        @Locked(value = "report", waitAtMost = "PT0.05S")
        public String soon() {
            return held();
        }

        @Locked("report")
        public String interruptibly() throws InterruptedException {
            return held();
        }

        @Locked(value = "report", fixedLease = "10m")
        public boolean explicit() {
            lease.get().extend(java.time.Duration.ofMinutes(11));
            return true;
        }

        @Locked("report")
        public List<Long> nested() {
            List<Long> tokens = new ArrayList<>(List.of(lease.get().fencingToken()));
            tokens.addAll(again());
            tokens.add(lease.get().fencingToken());
            return tokens;
        }

        @Locked(value = "report", waitAtMost = "0s")
        List<Long> again() {
            return List.of(lease.get().fencingToken(), Long.parseLong(other().replaceFirst("other ", "")));
        }

        @Locked("other")
        String other() {
            assertThat(lease.get().name()).isEqualTo("other");
            return "other " + lease.get().fencingToken();
        }

        @Locked(value = "report", onLoss = OnLoss.INTERRUPT)
        public String stopped(Callable<String> work) throws Exception {
            return work.call();
        }

        @Locked(value = "report", onLoss = OnLoss.CONTINUE)
        public String notStopped(Callable<String> work) throws Exception {
            return work.call();
        }

        @Locked(value = "report", fixedLease = "1s", onLoss = OnLoss.INTERRUPT)
        public void tooLong() throws InterruptedException {
            Thread.sleep(60_000);
        }

        @Locked("report")
        public String under(Callable<String> work) throws Exception {
            return work.call();
        }
    }

    private final Injector injector = Guice.createInjector(HaspModule.connectingTo("memory://locked"));
    private final Orders orders = injector.getInstance(Orders.class);
    private final DistributedLock report =
            injector.getInstance(LockClient.class).lock("report");

    @AfterEach
    void close() {
        injector.getInstance(HaspShutdown.class).close();
    }

    @Test
    void names_are_filled_from_parameters() {
        assertThat(orders.plain()).isEqualTo("report");
        assertThat(orders.annotated(7, "a/b")).isEqualTo("orders/7/a/b");
        assertThat(orders.compiled(7)).isEqualTo("orders/7");
        assertThat(orders.path(new Order(7, new Customer("Ada")))).isEqualTo("Ada/Ulm/7");
    }

    @Test
    void a_part_of_the_name_that_is_null_is_refused() {
        for (@Nullable
        Order order : new @Nullable Order[] {null, new Order(7, null), new Order(7, new Customer(null))}) {
            assertThatThrownBy(() -> orders.path(order))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("{order.customer.name} of the lock's name is null: Orders.path(Order) did not run");
        }
    }

    @Test
    void the_lock_is_free_after_the_method_whatever_it_did() {
        orders.nothing();
        assertThatThrownBy(orders::fails).isInstanceOf(IOException.class).hasMessage("report");
        try (Lease lease = report.tryAcquire().orElseThrow()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void a_wait_that_ends_without_the_lock_throws() {
        try (Lease lease = report.tryAcquire().orElseThrow()) {
            assertThatThrownBy(orders::atOnce)
                    .isInstanceOf(LockBusyException.class)
                    .hasMessage(
                            "lock 'report' was held by another for the whole wait of PT0S: Orders.atOnce() did not run")
                    .extracting("lockName")
                    .isEqualTo("report");
            assertThatThrownBy(orders::soon).isInstanceOf(LockBusyException.class);
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(orders.atOnce()).isEqualTo("report");
        assertThat(orders.soon()).isEqualTo("report");
    }

    @Test
    void a_fixed_lease_is_not_renewed_and_may_be_extended() {
        assertThat(orders.explicit()).isTrue();
    }

    @Test
    void an_interrupt_is_an_interrupted_exception_where_that_is_declared() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(orders::interruptibly).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();

        Thread.currentThread().interrupt();
        assertThatThrownBy(orders::plain)
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("Orders.plain() did not run")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_nested_call_for_the_same_lock_runs_under_the_same_lease() {
        List<Long> tokens = orders.nested();
        assertThat(tokens).hasSize(4);
        assertThat(List.of(tokens.get(1), tokens.get(3))).containsOnly(tokens.get(0));
        assertThat(report.tryAcquire()).hasValueSatisfying(Lease::close);
    }

    @Test
    void a_lock_that_ended_under_the_method_replaces_its_result() {
        assertThatThrownBy(() -> orders.under(() -> {
                    injector.getInstance(LockClient.class).closeNow();
                    return "done";
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_nested_call_is_refused_when_the_lock_is_gone_and_the_first_failure_stays() {
        assertThatThrownBy(() -> orders.under(() -> {
                    injector.getInstance(LockClient.class).closeNow();
                    return orders.plain();
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'report'")
                .hasMessageContaining("was given back before its holder released it");
    }

    @Test
    void outside_of_a_locked_method_there_is_no_lease() {
        orders.plain();
        assertThatThrownBy(() -> injector.getInstance(Lease.class))
                .hasMessageContaining("runs no @Locked method: inject Provider<Lease>");
    }

    /** Stands for a transaction: what it does before and after the method has to be inside of the lock. */
    static final class Transactions extends AbstractModule {
        private final List<@Nullable LeaseState> seen = new ArrayList<>();

        @Override
        protected void configure() {
            Provider<Lease> lease = getProvider(Lease.class);
            MethodInterceptor transaction = call -> {
                seen.add(lease.get().state());
                Object result = call.proceed();
                seen.add(lease.get().state());
                return result;
            };
            bindInterceptor(Matchers.subclassesOf(Orders.class), LockedClasses.LOCKED, transaction);
        }
    }

    private String lostAndWoken() throws InterruptedException {
        injector.getInstance(LockClient.class).closeNow();
        Thread.sleep(60_000);
        return "not reached";
    }

    @Test
    void a_method_is_interrupted_when_its_lock_is_lost_if_the_annotation_says_so() {
        assertThatThrownBy(orders::tooLong)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("it reached the end of its time")
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
        assertThatThrownBy(() -> orders.stopped(() -> {
                    injector.getInstance(LockClient.class).closeNow();
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return "not heeded";
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("its client was ended by closeNow()");
        assertThat(Thread.currentThread().isInterrupted()).as("after the call").isFalse();
    }

    @Test
    void a_nested_call_is_interrupted_too_and_the_loss_of_the_outer_one_is_thrown_although_the_method_hides_it() {
        List<Throwable> seen = new ArrayList<>();
        assertThatThrownBy(() -> orders.stopped(() -> {
                    seen.add(catchThrowable(() -> orders.under(this::lostAndWoken)));
                    seen.add(catchThrowable(() -> Thread.sleep(60_000)));
                    return "hidden";
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'report'");
        assertThat(seen.get(0)).isInstanceOf(LeaseLostException.class);
        assertThat(seen.get(1)).as("the outer call is stopped as well").isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).as("after the call").isFalse();
    }

    @Test
    void the_options_of_the_client_reach_methods_that_say_nothing() {
        Injector interrupting = Guice.createInjector(HaspModule.connectingTo("memory://locked?onLoss=interrupt"));
        Orders theirs = interrupting.getInstance(Orders.class);
        assertThatThrownBy(() -> theirs.under(() -> {
                    interrupting.getInstance(LockClient.class).closeNow();
                    Thread.sleep(60_000);
                    return "not reached";
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));

        Injector another = Guice.createInjector(HaspModule.connectingTo("memory://locked?onLoss=interrupt"));
        assertThatThrownBy(() -> another.getInstance(Orders.class).notStopped(() -> {
                    another.getInstance(LockClient.class).closeNow();
                    Thread.sleep(100); // An interrupt would be on its way by now.
                    return "gone on";
                }))
                .isInstanceOf(LeaseLostException.class)
                .satisfies(loss -> assertThat(loss.getSuppressed()).isEmpty());
    }

    @Test
    void interceptors_that_are_installed_later_are_inside_of_the_lock() {
        Transactions transactions = new Transactions();
        Injector both = Guice.createInjector(HaspModule.connectingTo("memory://locked"), transactions);
        both.getInstance(Orders.class).nothing();
        assertThat(transactions.seen).containsExactly(LeaseState.HELD, LeaseState.HELD);
        both.getInstance(HaspShutdown.class).close();
    }

    @Test
    void listeners_and_an_observer_of_calls_may_be_bound() {
        List<String> observed = new CopyOnWriteArrayList<>();
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        CallObserver observer = (lock, call) -> {
            Object result = call.proceed(lease -> observed.add(lock + " acquired"));
            observed.add(lock + " released");
            return result;
        };
        Injector watched = Guice.createInjector(HaspModule.connectingTo("memory://watched"), new AbstractModule() {
            @Override
            protected void configure() {
                bind(CallObserver.class).toInstance(observer);
                Multibinder.newSetBinder(binder(), LockListener.class)
                        .addBinding()
                        .toInstance(new LockListener() {
                            @Override
                            public void onEvent(LockEvent event) {
                                events.add(event);
                            }

                            @Override
                            public boolean isNonBlocking() {
                                return true;
                            }
                        });
            }
        });
        watched.getInstance(Orders.class).nested();
        assertThat(observed).containsExactly("report acquired", "other acquired", "other released", "report released");
        assertThat(events).hasAtLeastOneElementOfType(LockEvent.Acquired.class);
        watched.getInstance(HaspShutdown.class).close();
    }

    @Test
    void a_call_that_finds_the_lock_taken_may_be_skipped() throws InterruptedException {
        List<String> ran = new ArrayList<>();
        try (Lease other = report.acquire()) {
            orders.unlessBusy(ran);
            assertThat(ran)
                    .as("while another holds it, with token " + other.fencingToken())
                    .isEmpty();
        }
        orders.unlessBusy(ran);
        assertThat(ran).containsExactly("report");
    }
}
