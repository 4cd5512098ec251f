package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provider;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Injectors that share a real server, as two processes would. */
@Timeout(120)
class LockedOnServersTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;

    /** Protected by the lock only. */
    private static final class Store {
        private int count;
        private long token;
    }

    static class Counter {
        private final Store store;
        private final Provider<Lease> lease;

        @Inject
        Counter(Store store, Provider<Lease> lease) {
            this.store = store;
            this.lease = lease;
        }

        @Locked("counters/{name}")
        void increment(@LockKey("name") String name) {
            int before = store.count;
            LockSupport.parkNanos(1_000);
            assertThat(lease.get().fencingToken()).isGreaterThan(store.token);
            store.token = lease.get().fencingToken();
            store.count = before + 1;
        }

        @Locked("lost")
        String runUntilLost() {
            Lease held = lease.get();
            await().until(() -> held.state() == LeaseState.LOST);
            return "done";
        }
    }

    static class Elsewhere {
        private final Provider<Lease> lease;

        @Inject
        Elsewhere(Provider<Lease> lease) {
            this.lease = lease;
        }

        @Locked(value = "counters/{name}", client = "other")
        long token(@LockKey("name") String name) {
            return lease.get().fencingToken();
        }
    }

    private static void count(String uri) throws Exception {
        Store store = new Store();
        AbstractModule shared = new AbstractModule() {
            @Override
            protected void configure() {
                bind(Store.class).toInstance(store);
            }
        };
        List<Injector> injectors = List.of(
                Guice.createInjector(shared, HaspModule.connectingTo(uri).eagerly()),
                Guice.createInjector(shared, HaspModule.connectingTo(uri).lazily()));
        List<Callable<Integer>> work = new ArrayList<>();
        for (Injector injector : injectors) {
            Counter counter = injector.getInstance(Counter.class);
            for (int i = 0; i < THREADS; i++) {
                work.add(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        counter.increment("a");
                    }
                    return ROUNDS;
                });
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            for (Future<Integer> one : threads.invokeAll(work)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
            injectors.forEach(
                    injector -> injector.getInstance(HaspShutdown.class).close());
        }
        assertThat(store.count).isEqualTo(work.size() * ROUNDS);
    }

    @Test
    void callers_exclude_each_other_in_memory() throws Exception {
        count("memory://guice-counter");
    }

    @Test
    void callers_exclude_each_other_on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            count(redis.uri());
        }
    }

    @Test
    void callers_exclude_each_other_on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            count("zookeeper://" + zookeeper.connectString());
        }
    }

    @Test
    void callers_exclude_each_other_on_postgres() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            count(postgres.uri());
        }
    }

    @Test
    void each_method_uses_the_client_that_it_names() {
        try (RedisServer redis = RedisServer.start()) {
            Injector injector = Guice.createInjector(
                    HaspModule.connectingTo("memory://guice-named"),
                    HaspModule.connectingTo(redis.uri()).named("other"));
            Counter counter = injector.getInstance(Counter.class);
            counter.increment("a");
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
            assertThat(injector.getInstance(Elsewhere.class).token("a")).isPositive();
            assertThat((Long) redis.command("DBSIZE")).isPositive();
            injector.getInstance(HaspShutdown.class).close();
        }
    }

    @Test
    void a_method_that_lost_its_lock_sees_it_and_does_not_return_its_result() {
        try (RedisServer redis = RedisServer.start()) {
            Injector injector = Guice.createInjector(HaspModule.connectingTo(redis.uri() + "?renewedLease=1s"));
            Counter counter = injector.getInstance(Counter.class);
            ExecutorService administrator = Executors.newSingleThreadExecutor();
            try {
                administrator.execute(() -> {
                    await().until(() -> !Long.valueOf(0).equals(redis.command("DBSIZE")));
                    redis.command("FLUSHALL");
                });
                assertThatThrownBy(counter::runUntilLost)
                        .isInstanceOf(LeaseLostException.class)
                        .hasMessageContaining("the lease of lock 'lost' with token ")
                        .hasMessageContaining(" was lost: ");
            } finally {
                administrator.shutdownNow();
                injector.getInstance(HaspShutdown.class).close();
            }
        }
    }
}
