package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.memory.MemoryServer;
import io.hasp.memory.VirtualTime;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HaspModuleTest {

    private static final class Transfers {
        final LockClient locks;

        @Inject
        Transfers(LockClient locks) {
            this.locks = locks;
        }
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

    @Test
    void shutdown_releases_what_is_held_and_refuses_later_use() {
        MemoryServer server = new MemoryServer(new VirtualTime());
        Injector injector = Guice.createInjector(HaspModule.over(server.link(), ClientOptions.defaults()));
        LockClient locks = injector.getInstance(LockClient.class);
        Lease lease = locks.lock("a").tryAcquire().orElseThrow();
        HaspShutdown shutdown = injector.getInstance(HaspShutdown.class);
        shutdown.close();
        shutdown.close();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(server.size()).isZero();
        assertThatThrownBy(() -> locks.lock("a").tryAcquire()).isInstanceOf(ClientClosedException.class);
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
        ClientOptions options = ClientOptions.defaults().lease(Duration.ofSeconds(7));
        Injector injector = Guice.createInjector(HaspModule.connectingTo(URI.create("memory://guice-three"), options));
        try (Lease lease =
                injector.getInstance(LockClient.class).lock("a").tryAcquire().orElseThrow()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
        }
        injector.getInstance(HaspShutdown.class).close();
    }
}
