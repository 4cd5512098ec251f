package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provider;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link Locked} with several names. */
class LockedSeveralTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final String server = "memory://several-" + TESTS.incrementAndGet();
    private final List<String> observed = new ArrayList<>();
    private final CallObserver observer = (lock, call) -> {
        Object result = call.proceed(lease -> observed.add(lease.name()));
        observed.add(lock);
        return result;
    };
    private final Injector injector = Guice.createInjector(HaspModule.connectingTo(server), new AbstractModule() {
        @Override
        protected void configure() {
            bind(CallObserver.class).toInstance(observer);
        }
    });
    private final LockClient other = LockClient.connect(server);
    private final Bank bank = injector.getInstance(Bank.class);

    @AfterEach
    void close() {
        injector.getInstance(LockClient.class).close();
        other.close();
    }

    static class Bank {
        private final Provider<Lease> one;
        private final Provider<MultiLease> several;

        @Inject
        Bank(Provider<Lease> one, Provider<MultiLease> several) {
            this.one = one;
            this.several = several;
        }

        @Locked(
                value = {"accounts/{from}", "accounts/{to}"},
                waitAtMost = "0s")
        Map<String, Long> transfer(int from, int to, Runnable during) {
            during.run();
            return several.get().fencingTokens();
        }

        @Locked(value = "accounts/{id}", waitAtMost = "0s")
        long post(int id) {
            assertThatThrownBy(several::get)
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has one lock: inject Provider<Lease>");
            return one.get().fencingToken();
        }

        @Locked(value = "accounts/{id}", waitAtMost = "0s")
        void inside(int id, Runnable during) {
            during.run();
        }
    }

    private boolean free(int account) {
        return other.lock("accounts/" + account).tryRun(lease -> {});
    }

    @Test
    void a_method_runs_under_all_its_locks_with_a_token_for_each() {
        Map<String, Long> tokens =
                bank.transfer(2, 1, () -> assertThat(List.of(free(1), free(2))).containsOnly(false));
        assertThat(tokens).containsOnlyKeys("accounts/1", "accounts/2");
        assertThat(List.of(free(1), free(2))).containsOnly(true);
        assertThat(observed).containsExactly("accounts/1", "accounts/2", "accounts/2, accounts/1");
    }

    @Test
    void a_call_for_one_of_them_runs_under_the_same_lease() {
        long[] inner = new long[1];
        Map<String, Long> tokens = bank.transfer(1, 2, () -> inner[0] = bank.post(2));
        assertThat(inner[0]).isEqualTo(tokens.get("accounts/2"));
        Map<String, Long> nested = bank.transfer(1, 2, () -> bank.transfer(2, 1, () -> {}));
        assertThat(nested).hasSize(2);
    }

    @Test
    void a_call_for_more_than_the_thread_holds_is_refused() {
        assertThatThrownBy(() -> bank.inside(2, () -> bank.transfer(1, 2, () -> {})))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("lock 'accounts/2' is held by this thread already");
        assertThat(free(1)).isTrue();
    }

    @Test
    void one_busy_lock_keeps_the_method_from_running() {
        Lease taken = other.lock("accounts/2").tryAcquire().orElseThrow();
        assertThatThrownBy(() -> bank.transfer(1, 2, () -> {}))
                .isInstanceOf(LockBusyException.class)
                .hasMessage("one of the locks [accounts/1, accounts/2] was held by another at the end of the wait of"
                        + " PT0S: Bank.transfer(int, int, Runnable) did not run");
        assertThat(free(1)).isTrue();
        taken.release();
        assertThatThrownBy(() -> bank.transfer(1, 1, () -> {})).isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void the_lease_of_one_lock_is_not_given_to_a_method_with_several() {
        assertThatThrownBy(() -> bank.transfer(1, 2, () -> bank.one.get()))
                .hasMessageContaining("inject Provider<MultiLease>, which has a token for each");
    }
}
