package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Annotated methods of a bean, in memory. */
@Timeout(60)
class LockedMethodsTest {
    record Order(long id, Customer customer) {}

    record Customer(String name) {}

    /** Its methods return the name of the lock under which they ran. */
    static class Orders {
        private final ObjectProvider<Lease> lease;
        private final LockClient locks;

        Orders(ObjectProvider<Lease> lease, LockClient locks) {
            this.lease = lease;
            this.locks = locks;
        }

        String held() {
            assertThat(locks.lock(lease.getObject().name()).tryAcquire()).isEmpty();
            return lease.getObject().name();
        }

        @Locked("orders/{id}/{line}")
        public String keys(@LockKey("id") long number, @LockKey("line") String other) {
            return held();
        }

        @Locked("{order.customer.name}/#{#order.id + 1}/#{#root.prefix()}/#{@suffix}/#{{1,2}.size()}")
        public String expressions(Order order) {
            return held();
        }

        public String prefix() {
            return "of orders";
        }

        @Locked("#{#order.customer}")
        public String part(@Nullable @LockKey("order") Order given) {
            return held();
        }

        @Locked(value = "${app.lock}/{id}", waitAtMost = "${app.wait:0s}")
        String placeholders(long id) {
            return held();
        }

        @Locked("stage")
        public CompletionStage<String> stage(CompletableFuture<String> work) {
            held();
            return work;
        }

        @Locked(value = "stage", onLoss = OnLoss.INTERRUPT)
        public CompletionStage<String> stopped(CompletableFuture<String> work, Runnable before) {
            before.run();
            return work;
        }

        @Locked(value = "stage", onLoss = OnLoss.INTERRUPT)
        public CompletableFuture<String> neverReturns() throws InterruptedException {
            locks.closeNow();
            Thread.sleep(60_000);
            return new CompletableFuture<>();
        }

        @Locked("stage")
        public @Nullable CompletableFuture<String> none() {
            return null;
        }

        @Locked("stage")
        public String around(Runnable nested) {
            nested.run();
            return held();
        }

        @Locked(value = "stage", waitAtMost = "0s")
        public String atOnce() {
            return held();
        }

        @Locked(value = "ledger", client = "ledger")
        public String ofLedger(LockClient ledger) {
            assertThat(ledger.lock("ledger").tryAcquire()).isEmpty();
            assertThat(locks.lock("ledger").tryAcquire()).isPresent();
            return lease.getObject().name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Orders orders(ObjectProvider<Lease> lease, LockClient lockClient) {
            return new Orders(lease, lockClient);
        }

        @Bean
        String suffix() {
            return "bean";
        }
    }

    private static final ApplicationContextRunner SHOP = Boot.withHasp()
            .withPropertyValues(
                    "hasp.uri=memory://shop", "hasp.clients.ledger.uri=memory://ledger", "app.lock=from/property")
            .withUserConfiguration(Shop.class);

    private static void run(ContextConsumer<AssertableApplicationContext> test) {
        SHOP.run(test);
    }

    @Test
    void names_are_filled_from_parameters_spel_beans_and_properties() {
        run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.keys(7, "a")).isEqualTo("orders/7/a");
            assertThat(orders.expressions(new Order(41, new Customer("Ada")))).isEqualTo("Ada/42/of orders/bean/2");
            assertThat(orders.placeholders(3)).isEqualTo("from/property/3");
            assertThat(orders.part(new Order(1, new Customer("Bob")))).isEqualTo("Customer[name=Bob]");
            assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> orders.part(null));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.keys(1, nothing()))
                    .withMessageContaining("{line} of the lock's name is null");
        });
    }

    @SuppressWarnings("NullAway") // as an application would
    private static String nothing() {
        return null;
    }

    @Test
    void a_client_is_chosen_by_its_name() {
        run(context -> assertThat(
                        context.getBean(Orders.class).ofLedger(context.getBean("ledgerLockClient", LockClient.class)))
                .isEqualTo("ledger"));
    }

    @Test
    void a_stage_holds_its_lock_until_it_completes() {
        run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletionStage<String> result = orders.stage(work);
            assertThat(result.toCompletableFuture()).isNotDone();
            assertThatExceptionOfType(LockBusyException.class)
                    .as("also on the thread that called, which may serve another request now")
                    .isThrownBy(orders::atOnce);
            work.completeAsync(() -> "done");
            assertThat(result.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(orders.atOnce())
                    .as("released before the caller was told")
                    .isEqualTo("stage");

            assertThat(orders.stage(CompletableFuture.failedFuture(new IllegalStateException("broken")))
                            .toCompletableFuture())
                    .isCompletedExceptionally();
            assertThat(orders.none()).isNull();
            CompletableFuture<String> endless = new CompletableFuture<>();
            assertThat(orders.stage(endless).toCompletableFuture().cancel(true)).isTrue();
            assertThat(endless).isCancelled();
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .until(() -> orders.atOnce().equals("stage"));
        });
    }

    @Test
    void a_stage_within_a_call_that_holds_the_lock_prolongs_it() {
        run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            List<CompletionStage<String>> inner = new ArrayList<>();
            orders.around(() -> inner.add(orders.stage(work)));
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(orders::atOnce);
            work.complete("done");
            assertThat(inner.get(0).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo("done");
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .ignoreExceptionsInstanceOf(LockBusyException.class)
                    .until(() -> orders.atOnce().equals("stage"));
        });
    }

    @Test
    void a_stage_whose_lock_was_lost_fails() {
        CompletableFuture<String> work = new CompletableFuture<>();
        List<CompletionStage<String>> result = new ArrayList<>();
        run(context -> {
            result.add(context.getBean(Orders.class).stage(work));
            context.getBean("lockClient", LockClient.class).closeNow();
        });
        work.complete("too late: the client was closed");
        assertThat(result.get(0).toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_stage_whose_lock_is_lost_is_cancelled_if_that_is_wanted() {
        CompletableFuture<String> work = new CompletableFuture<>();
        List<CompletionStage<String>> result = new ArrayList<>();
        run(context -> {
            result.add(context.getBean(Orders.class).stopped(work, () -> {}));
            context.getBean("lockClient", LockClient.class).closeNow();
        });
        assertLost(result.get(0));
        assertThat(work).isCancelled();

        CompletableFuture<String> lostBefore = new CompletableFuture<>();
        run(context -> assertLost(context.getBean(Orders.class)
                .stopped(
                        lostBefore,
                        () -> context.getBean("lockClient", LockClient.class).closeNow())));
        assertThat(lostBefore).isCancelled();
        assertThat(Thread.interrupted()).as("after the call").isFalse();

        run(context -> {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).neverReturns());
            assertThat(Thread.interrupted()).as("after the call").isFalse();
        });
    }

    private static void assertLost(CompletionStage<String> result) {
        assertThat(result.toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_property_says_it_for_all_methods_of_all_clients() {
        SHOP.withPropertyValues("hasp.on-loss=interrupt").run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletionStage<String> result = orders.stage(work);
            context.getBean("lockClient", LockClient.class).closeNow();
            assertLost(result);
            assertThat(work).isCancelled();
        });
    }

    @Test
    void outside_of_such_a_method_there_is_no_lease() {
        run(context -> assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> context.getBean(Lease.class))
                .withStackTraceContaining("runs no @Locked method"));
    }

    interface Report {
        String make();
    }

    static class LockedReport implements Report {
        private final ObjectProvider<Lease> lease;

        LockedReport(ObjectProvider<Lease> lease) {
            this.lease = lease;
        }

        @Override
        @Locked("report")
        public String make() {
            return lease.getObject().name();
        }
    }

    @Test
    void proxies_of_interfaces_are_as_good() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://proxies", "spring.aop.proxy-target-class=false")
                .withBean(LockedReport.class)
                .run(context -> {
                    Report report = context.getBean(Report.class);
                    assertThat(AopUtils.isJdkDynamicProxy(report)).isTrue();
                    assertThat(report.make()).isEqualTo("report");
                });
    }
}
