package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.VirtualThreads;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * An interrupt of a virtual thread closes the socket that it reads from. Replies come late here, so every call waits for one in
 * the kernel, and an interrupt finds it there.
 */
class VirtualThreadsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DELAY = Duration.ofMillis(2);
    private static final int CALLS = 20;
    private static final int VICTIMS = 4;
    private static final int BYSTANDERS = 4;

    private final AtomicInteger names = new AtomicInteger();

    private static void onVirtualThread(Runnable task) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        VirtualThreads.start(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        done.get(60, TimeUnit.SECONDS);
    }

    private static TrafficPolicy late() {
        return TrafficPolicy.delayed(DELAY);
    }

    @Test
    void releases_with_the_interrupt_flag_set_reach_a_single_server() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                TestClient client = new TestClient(Through.JEDIS.source(proxy.port(), TIMEOUT))) {
            proxy.set(Direction.REPLIES, late());
            onVirtualThread(() -> releaseInterrupted(client));
        }
    }

    @Test
    void releases_with_the_interrupt_flag_set_reach_a_majority() throws Exception {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity())) {
            TestClient client = world.behindProxies(TIMEOUT);
            world.proxies.forEach(proxy -> proxy.set(Direction.REPLIES, late()));
            onVirtualThread(() -> releaseInterrupted(client));
        }
    }

    private static void releaseInterrupted(TestClient client) {
        for (int i = 0; i < CALLS; i++) {
            client.granted("h" + i);
            Thread.currentThread().interrupt();
            Supplier<Released> release = CompletableFuture.completedFuture(client.release("h" + i))::join;
            boolean kept = Thread.interrupted();
            assertThat(release.get()).isEqualTo(Released.RELEASED);
            assertThat(kept).as("the interrupt is kept").isTrue();
        }
    }

    @Test
    void transfers_with_the_interrupt_flag_set_reach_a_single_server() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                TestClient client = new TestClient(Through.JEDIS.source(proxy.port(), TIMEOUT))) {
            proxy.set(Direction.REPLIES, late());
            onVirtualThread(() -> transferInterrupted(client));
        }
    }

    /** Both halves use the same sockets, so both belong on the same platform thread. */
    @Test
    void transfers_with_the_interrupt_flag_set_reach_a_majority() throws Exception {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity())) {
            TestClient client = world.behindProxies(TIMEOUT);
            world.proxies.forEach(proxy -> proxy.set(Direction.REPLIES, late()));
            onVirtualThread(() -> transferInterrupted(client));
        }
    }

    private static void transferInterrupted(TestClient client) {
        // A node that does not know the script of a release yet would be asked for the new claim first.
        client.granted("first");
        client.release("first");
        Grant held = client.granted("h0");
        for (int i = 1; i < CALLS; i++) {
            Claim next = TestClient.claim("h" + i, TestClient.LEASE, true);
            Thread.currentThread().interrupt();
            Transfer transfer = client.backend.transfer(held, next, signal -> {});
            boolean kept = Thread.interrupted();
            assertThat(TestClient.answer(transfer.released())).isEqualTo(Released.RELEASED);
            Attempt attempt = TestClient.answer(transfer.attempt());
            assertThat(attempt).isInstanceOf(Attempt.Granted.class);
            assertThat(kept).as("the interrupt is kept").isTrue();
            held = ((Attempt.Granted) attempt).grant();
        }
    }

    @Test
    void interrupts_of_some_callers_break_no_call_of_others_off_on_a_single_server() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                TestClient client = new TestClient(Through.JEDIS.source(proxy.port(), TIMEOUT))) {
            proxy.set(Direction.REPLIES, late());
            interruptSome(client);
        }
    }

    @Test
    void interrupts_of_some_callers_break_no_call_of_others_off_on_redlock() throws Exception {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity())) {
            TestClient client = world.behindProxies(TIMEOUT);
            world.proxies.forEach(proxy -> proxy.set(Direction.REPLIES, late()));
            interruptSome(client);
        }
    }

    private void interruptSome(TestClient client) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger failed = new AtomicInteger();
        List<Thread> victims = new ArrayList<>();
        for (int i = 0; i < VICTIMS; i++) {
            victims.add(VirtualThreads.start(() -> {
                while (!over.get()) {
                    cycle(client, failed);
                }
            }));
        }
        List<CompletableFuture<Void>> bystanders = new ArrayList<>();
        for (int i = 0; i < BYSTANDERS; i++) {
            boolean virtual = i % 2 == 0;
            bystanders.add(CompletableFuture.runAsync(
                    () -> {
                        for (int call = 0; call < CALLS; call++) {
                            cycle(client, failed);
                        }
                    },
                    task -> {
                        if (virtual) {
                            VirtualThreads.start(task);
                        } else {
                            new Thread(task).start();
                        }
                    }));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(bystanders.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            victims.forEach(Thread::interrupt);
            Thread.onSpinWait();
        }
        over.set(true);
        all.join();
        for (Thread victim : victims) {
            victim.join(10_000);
        }
        assertThat(failed).as("calls that failed").hasValue(0);
    }

    private void cycle(TestClient client, AtomicInteger failed) {
        String text = "n" + names.incrementAndGet();
        Claim claim = Claim.renewedLease(new LockName(text), new HolderId(text), TIMEOUT, false);
        try {
            Attempt attempt = TestClient.answer(client.backend.acquire(claim, signal -> {}));
            Released released = TestClient.answer(client.backend.release(claim));
            if (!(attempt instanceof Attempt.Granted) || released != Released.RELEASED) {
                failed.incrementAndGet();
            }
        } catch (BackendFailure e) {
            failed.incrementAndGet();
        }
    }
}
