package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.conformance.ExtremeDurations;
import io.hasp.locked.Locked;
import io.hasp.memory.MemoryServer;
import io.hasp.memory.VirtualTime;
import io.hasp.spi.LockBackend;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HaspModuleTest {

    private static final class Transfers {
        final LockClient locks;

        @Inject
        Transfers(LockClient locks) {
            this.locks = locks;
        }
    }

    @Test
    void a_candidate_is_bound_by_the_name_of_its_election_and_ends_with_its_client() throws Exception {
        Injector injector =
                Guice.createInjector(HaspModule.connectingTo("memory://guice").electing("reports"));
        Key<LeaderElection> key = Key.get(LeaderElection.class, Names.named("reports"));
        LeaderElection election = injector.getInstance(key);
        assertThat(election).isSameAs(injector.getInstance(key));
        assertThat(election.await(Duration.ofSeconds(10))).isPresent();
        injector.getInstance(HaspShutdown.class).close();
        assertThat(election.isLeader()).isFalse();
        assertThatThrownBy(election::join).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_service_gets_the_one_client_injected_and_locks_with_it() {
        Injector injector = Guice.createInjector(HaspModule.connectingTo("memory://guice-one"));
        Transfers transfers = injector.getInstance(Transfers.class);
        assertThat(transfers.locks).isSameAs(injector.getInstance(LockClient.class));
        try (Lease lease = transfers.locks.lock("a").tryAcquire().orElseThrow()) {
            assertThat(lease.fencingToken()).isPositive();
        }
        injector.getInstance(HaspShutdown.class).close();
    }

    static class Work {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch ends = new CountDownLatch(1);

        @Locked("a")
        boolean run() throws InterruptedException {
            begun.countDown();
            return ends.await(20, TimeUnit.SECONDS);
        }
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void ap10_shutdown_waits_for_a_locked_method_and_no_other_client_has_its_lock_before_its_end() throws Exception {
        LockClient other = LockClient.connect("memory://guice-closing");
        Injector injector = Guice.createInjector(HaspModule.connectingTo("memory://guice-closing"));
        Work work = injector.getInstance(Work.class);
        CompletableFuture<Boolean> running = CompletableFuture.supplyAsync(() -> {
            try {
                return work.run();
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        assertThat(work.begun.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> shutdown = CompletableFuture.runAsync(injector.getInstance(HaspShutdown.class)::close);
        assertThat(other.lock("a").tryAcquire(Duration.ofSeconds(1)))
                .as("while the method runs")
                .isEmpty();
        assertThat(shutdown).isNotDone();
        work.ends.countDown();
        assertThat(running).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
        assertThat(shutdown).succeedsWithin(Duration.ofSeconds(5));
        assertThat(other.lock("a").tryAcquire(Duration.ofSeconds(5))).hasValueSatisfying(Lease::close);
        other.close();
    }

    @Test
    void shutdown_waits_for_the_work_of_all_clients_at_the_same_time() {
        Duration within = Duration.ofSeconds(4);
        ClientOptions options = ClientOptions.defaults().closeWithin(within);
        Injector injector = Guice.createInjector(
                HaspModule.connectingTo(URI.create("memory://guice-first"), options),
                HaspModule.connectingTo(URI.create("memory://guice-second"), options)
                        .named("second"));
        List<Lease> stuck = List.of(
                takenElsewhere(injector.getInstance(LockClient.class)),
                takenElsewhere(injector.getInstance(Key.get(LockClient.class, Names.named("second")))));
        long begun = System.nanoTime();
        injector.getInstance(HaspShutdown.class).close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(within, within.plusMillis(2500));
        stuck.forEach(Lease::close);
    }

    private static Lease takenElsewhere(LockClient client) {
        return CompletableFuture.supplyAsync(() -> client.lock("stuck").tryAcquire())
                .join()
                .orElseThrow();
    }

    @Test
    void shutdown_leaves_what_its_own_thread_holds_and_refuses_later_use() {
        MemoryServer server = new MemoryServer(new VirtualTime());
        Injector injector = Guice.createInjector(HaspModule.over(server.link(), ClientOptions.defaults()));
        LockClient locks = injector.getInstance(LockClient.class);
        Lease lease = locks.lock("a").tryAcquire().orElseThrow();
        HaspShutdown shutdown = injector.getInstance(HaspShutdown.class);
        shutdown.close();
        shutdown.close();
        assertThatThrownBy(() -> locks.lock("b").tryAcquire()).isInstanceOf(ClientClosedException.class);
        assertThat(server.size()).as("locks that are held").isEqualTo(1);
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(server.size()).isZero();
    }

    @Test
    void shutdown_before_first_use_opens_nothing() {
        Injector injector = Guice.createInjector(HaspModule.connectingTo("memory://guice-two"));
        injector.getInstance(HaspShutdown.class).close();
        assertThatThrownBy(() -> injector.getInstance(LockClient.class))
                .isInstanceOf(ProvisionException.class)
                .hasMessageContaining("shut down");
    }

    @Test
    void a_wrong_uri_fails_at_first_use_and_in_production_at_creation() {
        HaspModule module = HaspModule.connectingTo("nosuch://host");
        Injector lazy = Guice.createInjector(module);
        assertThatThrownBy(() -> lazy.getInstance(LockClient.class))
                .isInstanceOf(ProvisionException.class)
                .hasCauseInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("no backend for the scheme 'nosuch'");
        assertThatThrownBy(() -> Guice.createInjector(Stage.PRODUCTION, module))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("no backend for the scheme 'nosuch'");
    }

    @Test
    void options_reach_the_client() {
        ClientOptions options = ClientOptions.defaults().renewedLease(Duration.ofSeconds(7));
        Injector injector = Guice.createInjector(HaspModule.connectingTo(URI.create("memory://guice-three"), options));
        try (Lease lease =
                injector.getInstance(LockClient.class).lock("a").tryAcquire().orElseThrow()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
        }
        injector.getInstance(HaspShutdown.class).close();
    }

    private static final class Ledger {
        final LockClient plain;
        final LockClient ledger;

        @Inject
        Ledger(LockClient plain, @Named("ledger") LockClient ledger) {
            this.plain = plain;
            this.ledger = ledger;
        }
    }

    @Test
    void several_clients_are_told_apart_by_name_and_shut_down_together() {
        Injector injector = Guice.createInjector(
                HaspModule.connectingTo("memory://guice-four"),
                HaspModule.connectingTo("memory://guice-five").named("ledger"));
        Ledger service = injector.getInstance(Ledger.class);
        try (Lease one = service.plain.lock("a").tryAcquire().orElseThrow();
                Lease other = service.ledger.lock("a").tryAcquire().orElseThrow()) {
            injector.getInstance(HaspShutdown.class).close();
            assertThat(List.of(service.plain, service.ledger))
                    .allSatisfy(
                            client -> assertThatThrownBy(() -> client.lock("b").tryAcquire())
                                    .isInstanceOf(ClientClosedException.class));
            assertThat(List.of(one.state(), other.state()))
                    .as("what the closing thread itself holds stays with its work")
                    .doesNotContain(LeaseState.RELEASED, LeaseState.LOST);
        }
    }

    @Test
    void two_clients_of_one_name_and_an_empty_name_are_refused() {
        HaspModule module = HaspModule.connectingTo("memory://guice-six");
        assertThatThrownBy(() -> Guice.createInjector(module.named("x"), module.named("x")))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("LockClient annotated with @Named(\"x\") was bound multiple times");
        assertThatThrownBy(() -> module.named("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothing_but_the_client_its_shutdown_and_the_leases_is_visible() {
        Injector injector = Guice.createInjector(
                HaspModule.connectingTo("memory://guice-seven").named("x"));
        Set<Key<?>> visible = new HashSet<>(injector.getBindings().keySet());
        visible.removeAll(Guice.createInjector().getBindings().keySet());
        assertThat(visible)
                .containsExactlyInAnyOrder(
                        Key.get(LockClient.class, Names.named("x")),
                        Key.get(HaspShutdown.class),
                        Key.get(Lease.class),
                        Key.get(MultiLease.class));
    }

    /** Counts the connections. */
    private static final class Counting {
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final HaspModule module = HaspModule.over(
                context -> {
                    opened.incrementAndGet();
                    LockBackend backend =
                            new MemoryServer(new VirtualTime()).link().open(context);
                    return (LockBackend) Proxy.newProxyInstance(
                            LockBackend.class.getClassLoader(),
                            new Class<?>[] {LockBackend.class},
                            (proxy, method, args) -> {
                                if (method.getName().equals("close")) {
                                    closed.incrementAndGet();
                                }
                                return method.invoke(backend, args);
                            });
                },
                ClientOptions.defaults());
    }

    @Test
    void a_client_connects_when_the_injector_is_made_or_when_it_is_asked_for() {
        Counting lazy = new Counting();
        Injector injector = Guice.createInjector(Stage.PRODUCTION, lazy.module.lazily());
        assertThat(lazy.opened).hasValue(0);
        assertThat(injector.getInstance(LockClient.class)).isSameAs(injector.getInstance(LockClient.class));
        assertThat(lazy.opened).hasValue(1);
        injector.getInstance(HaspShutdown.class).close();
        assertThat(lazy.closed).hasValue(1);

        Counting eager = new Counting();
        Injector early = Guice.createInjector(eager.module.eagerly());
        assertThat(eager.opened).hasValue(1);
        assertThat(early.getInstance(LockClient.class)).isSameAs(early.getInstance(LockClient.class));
        assertThat(eager.opened).hasValue(1);
        early.getInstance(HaspShutdown.class).close();
    }

    @Test
    void an_eager_client_that_fails_takes_those_with_it_that_were_opened_before() {
        Counting first = new Counting();
        assertThatThrownBy(() -> Guice.createInjector(
                        first.module.eagerly(),
                        HaspModule.connectingTo("nosuch://host").named("x").eagerly()))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("no backend for the scheme 'nosuch'");
        assertThat(first.closed).hasValue(first.opened.get());
    }

    @Test
    void the_environment_is_asked_if_no_service_is_named() {
        assumeThat(System.getenv("HASP_URI")).isNull();
        assertThatThrownBy(() -> Guice.createInjector(
                        HaspModule.connecting(ClientOptions.defaults()).eagerly()))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("set the environment variable HASP_URI");
    }

    @Test
    void a_module_serves_several_injectors_with_a_client_each() {
        HaspModule module = HaspModule.connectingTo("memory://guice-eight");
        Injector one = Guice.createInjector(module);
        Injector other = Guice.createInjector(module);
        one.getInstance(LockClient.class);
        one.getInstance(HaspShutdown.class).close();
        try (Lease lease =
                other.getInstance(LockClient.class).lock("a").tryAcquire().orElseThrow()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        other.getInstance(HaspShutdown.class).close();
    }

    /** Durations are options of the client, whose tests give it extreme ones. */
    @Test
    void nothing_of_the_module_takes_a_duration() {
        assertThat(ExtremeDurations.taken(HaspModule.class, "io.hasp.guice")).isEmpty();
    }
}
