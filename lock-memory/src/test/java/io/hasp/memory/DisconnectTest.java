package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients in memory that are connected by their calls, and disconnected while others come. */
@Timeout(60)
class DisconnectTest {
    private static final ClientOptions SHORT = ClientOptions.defaults().closeWithin(Duration.ofMillis(300));

    @Test
    void a_lazy_client_locks_and_locks_again_when_it_was_disconnected() throws InterruptedException {
        try (LockClient client = LockClient.connect("memory://disconnected?connect=lazy", ClientOptions.defaults());
                LockClient over = LockClient.over(
                        new MemoryServer(new RealClock()).link(),
                        ClientOptions.defaults().connect(Connect.LAZY))) {
            for (int rounds = 0; rounds < 2; rounds++) {
                client.lock("orders/42").acquire().close();
                over.lock("orders/42").acquire().close();
                assertThat(client.disconnect()).isTrue();
                assertThat(over.disconnect()).isTrue();
            }
        }
    }

    /** Counts what each backend still has to do when it is closed. */
    private static final class Counted implements BackendSource {
        private final BackendSource source = new MemoryServer(new RealClock()).link();
        private final List<String> cutOff = new ArrayList<>();

        @Override
        public LockBackend open(io.hasp.spi.BackendContext context) {
            LockBackend real = source.open(context);
            AtomicInteger inUse = new AtomicInteger();
            return (LockBackend) Proxy.newProxyInstance(
                    LockBackend.class.getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, given) -> {
                        if (method.getName().equals("close") && inUse.get() != 0) {
                            cutOff.add("closed with " + inUse);
                        }
                        boolean request = CompletionStage.class.isAssignableFrom(method.getReturnType());
                        if (request) {
                            inUse.incrementAndGet();
                        }
                        try {
                            Object answer = method.invoke(real, given);
                            return request ? counted(inUse, (CompletionStage<?>) answer) : answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private static CompletionStage<?> counted(AtomicInteger inUse, CompletionStage<?> answer) {
            return answer.whenComplete((result, failure) -> {
                boolean granted = result instanceof Attempt.Granted;
                inUse.addAndGet((granted ? 0 : -1) - (result == Released.RELEASED ? 1 : 0));
            });
        }
    }

    @Test
    void no_backend_is_closed_that_has_something_to_do() {
        Counted source = new Counted();
        AtomicBoolean over = new AtomicBoolean();
        int disconnected = 0;
        try (LockClient client = LockClient.over(source.declaring(MemoryBackend.DECLARATION), SHORT)) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 3; caller++) {
                String name = "busy/" + caller;
                callers.add(CompletableFuture.runAsync(() -> {
                    while (!over.get()) {
                        try (Lease lease = client.lock(name).acquireAsync().join()) {
                            assertThat(lease.fencingToken()).isPositive();
                        }
                        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                    }
                }));
            }
            for (int rounds = 0; rounds < 2_000; rounds++) {
                disconnected += client.disconnect() ? 1 : 0;
            }
            over.set(true);
            callers.forEach(CompletableFuture::join);
        }
        assertThat(disconnected).isPositive();
        assertThat(source.cutOff).isEmpty();
    }
}
