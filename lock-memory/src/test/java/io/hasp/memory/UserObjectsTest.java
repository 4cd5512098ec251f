package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Objects of the user's that break their contract, and threads that inherit nothing of a caller. */
@SuppressWarnings("NullAway") // Null is the bad input.
class UserObjectsTest {
    private final MemoryServer server = new MemoryServer(new RealClock());

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // The priority is what the engine's threads must not inherit.
    void work_of_one_tenant_sees_nothing_that_belongs_to_another() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        AtomicReference<String> seen = new AtomicReference<>();
        Thread first = new Thread(() -> {
            tenant.set("first");
            try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
                client.lock("a")
                        .callAsync(lease -> {
                            Thread current = Thread.currentThread();
                            seen.set(tenant.get() + " " + current.getPriority() + " "
                                    + (current.getContextClassLoader() == LockClient.class.getClassLoader()));
                            return CompletableFuture.completedFuture("done");
                        })
                        .join();
            }
        });
        first.setPriority(Thread.MIN_PRIORITY);
        first.setContextClassLoader(new ClassLoader(null) {});
        first.start();
        first.join(10_000);
        assertThat(seen).hasValue("null 5 true");
    }

    @Test
    void a_huge_keep_and_a_source_of_nothing_are_refused_with_a_type() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatThrownBy(() ->
                        LockClient.over(server.link(), ClientOptions.defaults().keep(huge)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("keep is " + huge);
        assertThatThrownBy(() -> LockClient.over(context -> null, ClientOptions.defaults()))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void a_view_as_lock_refuses_a_null_unit_as_the_locks_of_the_jdk_do() {
        try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            assertThatThrownBy(() -> client.lock("a").asReentrantLock().tryLock(1, null))
                    .isInstanceOf(NullPointerException.class);
        }
    }
}
