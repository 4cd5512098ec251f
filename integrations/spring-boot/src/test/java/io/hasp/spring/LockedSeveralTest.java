package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.locked.Locked;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@link Locked} with several names. */
class LockedSeveralTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final ApplicationContextRunner application = Boot.withHasp()
            .withUserConfiguration(Application.class)
            .withPropertyValues("hasp.uri=memory://several-" + TESTS.incrementAndGet(), "prefix=accounts/");

    static class Bank {
        private final ObjectProvider<MultiLease> lease;
        private final LockClient locks;

        Bank(ObjectProvider<MultiLease> lease, LockClient locks) {
            this.lease = lease;
            this.locks = locks;
        }

        boolean free(String account) {
            return locks.lock("accounts/" + account).tryRun(held -> {});
        }

        @Locked(
                value = {"${prefix}#{#from}", "accounts/{to}"},
                waitAtMost = "0s")
        public Map<String, Long> transfer(String from, String to) {
            assertThat(List.of(free(from), free(to))).containsOnly(false);
            return lease.getObject().fencingTokens();
        }

        @Locked(
                value = {"accounts/{from}", "accounts/{to}"},
                waitAtMost = "0s")
        public CompletableFuture<String> later(String from, String to, CompletableFuture<String> work) {
            return work;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Bank bank(ObjectProvider<MultiLease> lease, LockClient locks) {
            return new Bank(lease, locks);
        }
    }

    @Test
    void a_method_runs_under_all_its_locks_with_a_token_for_each() {
        application.run(context -> {
            Bank bank = context.getBean(Bank.class);
            assertThat(bank.transfer("b", "a")).containsOnlyKeys("accounts/a", "accounts/b");
            assertThat(List.of(bank.free("a"), bank.free("b"))).containsOnly(true);
        });
    }

    static class Twice {
        @Locked({"${prefix}a", "accounts/a"})
        public void transfer() {}
    }

    @Test
    void names_that_are_equal_once_properties_are_filled_in_are_refused_at_the_start() {
        application
                .withBean(Twice.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "one of the names [accounts/a, accounts/a] comes twice: each name may occur once"));
    }

    @Test
    void a_stage_holds_all_locks_until_it_has_completed() {
        application.run(context -> {
            Bank bank = context.getBean(Bank.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = bank.later("b", "a", work);
            assertThat(List.of(bank.free("a"), bank.free("b"))).containsOnly(false);
            work.complete("done");
            assertThat(result.join()).isEqualTo("done");
            assertThat(List.of(bank.free("a"), bank.free("b"))).containsOnly(true);
        });
    }
}
