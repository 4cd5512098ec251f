package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Attempt;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Several clients that want a majority at once. */
class RedlockContentionTest {
    private static final int CONTENDERS = 5;
    private static final int ROUNDS = 20;
    private static final int CROWD = 64;

    @Test
    void li8_of_five_that_ask_at_once_everybody_gets_its_turn_and_nothing_is_left() throws Exception {
        try (RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity())) {
            HaspSubject subject = HaspSubject.at("hasp-redlock", world.nodes.uri());
            CyclicBarrier together = new CyclicBarrier(CONTENDERS);
            List<Callable<Integer>> contenders = new ArrayList<>();
            List<LockUser> users = new ArrayList<>();
            for (int i = 0; i < CONTENDERS; i++) {
                LockUser user = subject.open();
                users.add(user);
                contenders.add(() -> takeInRounds(user, together));
            }
            ExecutorService threads = Executors.newFixedThreadPool(CONTENDERS);
            try {
                for (Future<Integer> one : threads.invokeAll(contenders)) {
                    assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo(ROUNDS);
                }
            } finally {
                threads.shutdownNow();
            }
            await().until(() -> world.held() == 0);
            for (LockUser user : users) {
                user.close();
            }
        }
    }

    private static int takeInRounds(LockUser user, CyclicBarrier together) throws Exception {
        int taken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            together.await();
            Hold hold = user.tryAcquire("orders/42", Timings.longWait()).orElseThrow();
            taken++;
            hold.release();
        }
        return taken;
    }

    /** More threads than sockets, with the usual node timeout: threads that wait for sockets are served in turn. */
    @Test
    void a_crowd_of_threads_is_not_an_outage() throws Exception {
        try (RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity());
                LockClient client =
                        LockClient.connect(world.nodes.uri().replaceFirst("nodeTimeout=.*", "nodeTimeout=200ms"))) {
            List<Callable<Integer>> crowd = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                DistributedLock own = client.lock("crowd-" + i);
                crowd.add(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        own.tryAcquire().orElseThrow().close();
                    }
                    return ROUNDS;
                });
            }
            ExecutorService threads = Executors.newFixedThreadPool(CROWD);
            try {
                for (Future<Integer> one : threads.invokeAll(crowd)) {
                    assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo(ROUNDS);
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void an_interrupted_thread_still_gives_its_lock_back() {
        try (RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity());
                LockClient client = LockClient.connect(world.nodes.uri())) {
            Lease lease = client.lock("interrupted").tryAcquire().orElseThrow();
            Thread.currentThread().interrupt();

            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(world.held()).isZero();
        }
    }

    @Test
    void li3_a_release_wakes_the_first_waiter_from_any_node_that_still_talks_to_it() throws Exception {
        try (RedlockWorld world = new RedlockWorld(5, UnaryOperator.identity())) {
            TestClient holder = world.client();
            TestClient waiter = world.client();
            holder.granted("a");
            assertThat(waiter.acquire("b")).isInstanceOf(Attempt.Busy.class);
            for (int i = 0; i < 4; i++) {
                world.node(i).command("CLIENT", "KILL", "TYPE", "pubsub");
            }
            holder.release("a");
            assertThat(waiter.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
            assertThat(waiter.acquire("b")).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    void a_lock_kept_for_a_waiter_is_refused_to_others_and_given_back_if_the_waiter_was_released() {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity())) {
            TestClient holder = world.client();
            TestClient waiter = world.client();
            TestClient third = world.client();
            holder.granted("a");
            assertThat(waiter.acquire("b")).isInstanceOf(Attempt.Busy.class);
            holder.release("a");
            assertThat(third.tryAcquire("c")).isInstanceOf(Attempt.Busy.class);
            waiter.release("b");
            await().atMost(Duration.ofSeconds(10)).until(() -> world.held() == 0);
            assertThat(third.tryAcquire("d")).isInstanceOf(Attempt.Granted.class);
        }
    }

    /** A node calls a waiter that has just been released. */
    @Test
    void a_message_that_comes_late_costs_no_connection() throws IOException {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity());
                RespConnection node = world.node(0).connect()) {
            world.client().granted("a");
            lateMessage(node);
            long before = number(node, "stats", "total_connections_received:");
            lateMessage(node);
            assertThat(number(node, "stats", "total_connections_received:")).isEqualTo(before);
        }
    }

    private static void lateMessage(RespConnection node) throws IOException {
        long before = number(node, "commandstats", "cmdstat_evalsha:calls=");
        List<?> channels = (List<?>) Objects.requireNonNull(node.command("PUBSUB", "CHANNELS"));
        String channel = String.valueOf(channels.get(0));
        assertThat(node.integer("PUBLISH", channel, "released|" + KEY)).isEqualTo(1);
        await().until(() -> number(node, "commandstats", "cmdstat_evalsha:calls=") == before + 1);
    }

    private static long number(RespConnection node, String section, String name) throws IOException {
        String found = String.valueOf(node.text("INFO", section));
        return Long.parseLong(found.replaceAll("(?s).*" + name + "(\\d+).*", "$1"));
    }
}
