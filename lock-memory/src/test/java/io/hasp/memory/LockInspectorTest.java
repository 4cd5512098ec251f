package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockOptions;
import io.hasp.LockView;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Finding;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The inspector of a client, beside the rules IN: times, pages, threads, and the end of the client. */
@Timeout(60)
class LockInspectorTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(server.link(), options.label("one"));

    @AfterEach
    void close() {
        client.closeNow();
    }

    /** A backend whose inspector a test replaces. */
    private static BackendSource inspectedBy(MemoryServer server, UnaryOperator<Inspector> replacement) {
        return context -> {
            LockBackend real = server.link().open(context);
            return (LockBackend) Proxy.newProxyInstance(
                    LockBackend.class.getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, given) -> {
                        if (method.getName().equals("inspector")) {
                            return real.inspector().map(replacement);
                        }
                        try {
                            return method.invoke(real, given);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        };
    }

    /** Passes all calls on; notes the cursors of listings. */
    private static class Passing implements Inspector {
        final List<String> cursors = new ArrayList<>();
        private final Inspector real;

        Passing(Inspector real) {
            this.real = real;
        }

        @Override
        public CompletionStage<Page> list(String prefix, String cursor) {
            cursors.add(cursor);
            return real.list(prefix, cursor);
        }

        @Override
        public CompletionStage<Optional<Content>> find(LockName name) {
            return real.find(name);
        }

        @Override
        public CompletionStage<Boolean> remove(LockName name, Holder holder) {
            return real.remove(name, holder);
        }
    }

    @Test
    void times_are_those_of_the_server() throws Exception {
        time.advance(Duration.ofSeconds(5));
        Lease lease = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(30)))
                .acquire();
        time.advance(Duration.ofSeconds(7));
        LockView view = client.inspector().lock("a").orElseThrow();
        assertThat(view.readAt()).isEqualTo(Instant.EPOCH.plusSeconds(12));
        assertThat(view.holders())
                .containsExactly(new LockView.Holder(
                        "one",
                        lease.fencingToken(),
                        1,
                        LockView.Use.HELD,
                        Optional.of(Instant.EPOCH.plusSeconds(5)),
                        Optional.of(Duration.ofSeconds(23))));
    }

    @Test
    void a_listing_requests_a_page_when_it_is_needed() throws Exception {
        List<Passing> inspectors = new ArrayList<>();
        BackendSource source = inspectedBy(server, real -> {
            Passing passing = new Passing(real);
            inspectors.add(passing);
            return passing;
        });
        try (LockClient other = LockClient.over(source, options)) {
            for (int i = 0; i < 250; i++) {
                assertThat(other.lock("lock-" + (1000 + i)).tryAcquire()).isPresent();
            }
            Iterator<LockView> views = other.inspector().locks("lock-").iterator();
            List<String> cursors = inspectors.get(inspectors.size() - 1).cursors;
            assertThat(cursors).as("requests before the first lock").isEmpty();
            for (int i = 0; i < 100; i++) {
                views.next();
            }
            assertThat(cursors).as("requests for the first page").hasSize(1);
            List<LockView> rest = new ArrayList<>();
            views.forEachRemaining(rest::add);
            assertThat(rest).hasSize(150);
            assertThat(cursors).as("requests of all pages").hasSize(3);
            other.closeNow();
        }
    }

    @Test
    void an_interrupt_is_kept_and_disturbs_no_request() throws Exception {
        assertThat(client.lock("a").tryAcquire()).isPresent();
        List<Boolean> seen = new ArrayList<>();
        BackendSource source = inspectedBy(server, real -> new Passing(real) {
            @Override
            public CompletionStage<Optional<Content>> find(LockName name) {
                seen.add(Thread.currentThread().isInterrupted());
                return super.find(name);
            }
        });
        try (LockClient other = LockClient.over(source, options)) {
            Thread.currentThread().interrupt();
            assertThat(other.inspector().lock("a")).isPresent();
            assertThat(Thread.interrupted()).as("the interrupt of the caller").isTrue();
            assertThat(seen).containsExactly(false);
        }
    }

    @Test
    void a_closed_client_says_so_also_to_a_call_that_was_not_answered() throws Exception {
        BackendSource silent = inspectedBy(server, real -> new Passing(real) {
            @Override
            public CompletionStage<Optional<Content>> find(LockName name) {
                return new CompletableFuture<>();
            }
        });
        LockClient other = LockClient.over(silent, ClientOptions.defaults());
        LockInspector inspector = other.inspector();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                inspector.lock("a");
            } catch (RuntimeException e) {
                failure.complete(e);
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        other.close();
        assertThat(failure.get(10, TimeUnit.SECONDS)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(other::inspector).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> inspector.breakLock("a", 256)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> inspector.locks("").count()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void an_exception_of_the_backend_is_a_failure_and_an_error_ends_the_client() {
        RuntimeException fault = new IllegalStateException("a bug");
        Error error = new NoClassDefFoundError("of the test");
        BackendSource faulty = inspectedBy(server, real -> new Passing(real) {
            @Override
            public CompletionStage<Optional<Content>> find(LockName name) {
                if (name.value().equals("error")) {
                    throw error;
                }
                throw fault;
            }
        });
        try (LockClient other = LockClient.over(faulty, options)) {
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> other.inspector().lock("a"))
                    .withMessageContaining("could not read lock 'a'")
                    .withCause(fault);
            assertThat(other.inspector().locks("")).isEmpty();
            assertThatExceptionOfType(ClientClosedException.class)
                    .isThrownBy(() -> other.inspector().lock("error"))
                    .withCause(error);
        }
    }

    @Test
    void a_backend_that_declares_no_inspector_has_none() {
        ScriptedBackend without = new ScriptedBackend(server.link());
        without.capabilities = io.hasp.spi.Capabilities.of(
                io.hasp.spi.Capabilities.Ordering.FIFO, io.hasp.spi.Capabilities.Enforcement.LEASE);
        try (LockClient other = LockClient.over(without, options)) {
            assertThat(other.capabilities().inspection()).isFalse();
            assertThatThrownBy(other::inspector).isInstanceOf(UnsupportedCapabilityException.class);
        }
        assertThat(client.capabilities().inspection()).isTrue();
        assertThat(client.capabilities().toString()).contains("inspection");
    }

    @Test
    void a_client_that_connects_with_its_first_call_inspects_and_disconnects() throws Exception {
        MemoryServer real = new MemoryServer(new RealClock());
        try (LockClient lazy =
                        LockClient.over(real.link(), ClientOptions.defaults().connect(Connect.LAZY));
                LockClient holder = LockClient.over(real.link(), ClientOptions.defaults())) {
            Lease lease = holder.lock("a").acquire();
            LockInspector inspector = lazy.inspector();
            for (int round = 0; round < 2; round++) {
                assertThat(inspector.lock("a")).isPresent();
                assertThat(lazy.disconnect()).isTrue();
            }
            assertThat(inspector.breakLock("a", lease.fencingToken())).isTrue();
            assertThat(lease.state()).isIn(LeaseState.HELD, LeaseState.LOST);
        }
    }

    @Test
    void the_label_of_a_uri_wins_over_the_option() throws Exception {
        try (LockClient labelled = LockClient.connect(
                "memory://labelled?label=orders%207f9c",
                ClientOptions.defaults().label("other"))) {
            assertThat(labelled.lock("a").tryAcquire()).isPresent();
            assertThat(labelled.inspector().lock("a").orElseThrow().holders())
                    .extracting(LockView.Holder::label)
                    .containsExactly("orders 7f9c");
            labelled.closeNow();
        }
        assertThatThrownBy(() -> LockClient.connect("memory://labelled?label=%20"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("label");
    }

    @Test
    void a_service_whose_backend_has_no_checks_has_one_unknown_finding() {
        assertThat(LockClient.diagnose("memory://checked"))
                .extracting(Finding::level)
                .containsExactly(Finding.Level.UNKNOWN);
        for (String uri :
                List.of("nothing://here", "memory://checked?label=%0A", "no uri", "memory://a?onLoss=perhaps")) {
            assertThatThrownBy(() -> LockClient.diagnose(uri)).isInstanceOf(InvalidArgumentException.class);
        }
    }
}
