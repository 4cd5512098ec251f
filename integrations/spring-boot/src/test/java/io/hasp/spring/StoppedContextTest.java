package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** A context that is stopped has no connection to the servers of its locks, and has its locks again when it is started. */
@Timeout(120)
@InTier(Tier.STANDARD)
class StoppedContextTest {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    /** The number of connections without the one of this query. */
    private static long connections() {
        return String.valueOf(REDIS.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private static void lock(ConfigurableApplicationContext context) throws InterruptedException {
        for (LockClient client : context.getBeansOfType(LockClient.class).values()) {
            try (Lease lease = client.lock("stopped").acquire()) {
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            }
        }
    }

    /** Takes a lock when it is stopped, as a job that ends its work. */
    static final class LockingAtStop implements SmartLifecycle {
        private final LockClient locks;
        private boolean running;
        private boolean locked;

        LockingAtStop(LockClient locks) {
            this.locks = locks;
        }

        @Override
        public void start() {
            locks.lock("starting").acquireAsync().join().close();
            running = true;
        }

        @Override
        public void stop() {
            locks.lock("stopping").acquireAsync().join().close();
            locked = true;
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE + 1;
        }
    }

    @Test
    void its_sockets_are_closed_after_all_other_beans_are_stopped_and_opened_by_the_next_call() {
        Boot.withHasp()
                .withPropertyValues(
                        "hasp.uri=" + REDIS.uri(), "hasp.clients.ledger.uri=" + REDIS.uri() + "?connection=lettuce")
                .withBean(LockingAtStop.class)
                .run(context -> {
                    ConfigurableApplicationContext real = context.getSourceApplicationContext();
                    for (int rounds = 0; rounds < 2; rounds++) {
                        lock(real);
                        assertThat(connections()).isPositive();
                        real.stop();
                        assertThat(context.getBean(LockingAtStop.class).locked).isTrue();
                        await().untilAsserted(() -> assertThat(connections()).isZero());
                        real.start();
                        lock(real);
                    }
                });
        await().untilAsserted(() -> assertThat(connections()).isZero());
    }

    @Test
    void so_are_those_beside_an_applications_factory() {
        Boot.withHasp()
                .withBean(
                        "own",
                        LettuceConnectionFactory.class,
                        () -> new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", REDIS.port())))
                .run(context -> {
                    ConfigurableApplicationContext real = context.getSourceApplicationContext();
                    lock(real);
                    real.stop();
                    await().untilAsserted(() -> assertThat(connections()).isZero());
                    real.start();
                    lock(real);
                });
    }

    @Test
    void so_are_sessions_of_zookeeper() {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=zookeeper://" + zookeeper.connectString())
                    .run(context -> {
                        ConfigurableApplicationContext real = context.getSourceApplicationContext();
                        lock(real);
                        assertThat(sessions(zookeeper)).isPositive();
                        real.stop();
                        await().until(() -> sessions(zookeeper) == 0);
                        real.start();
                        lock(real);
                    });
        }
    }

    private static long sessions(ZooKeeperServer zookeeper) throws IOException {
        return zookeeper
                .ask("cons")
                .lines()
                .filter(line -> line.contains("sid=0x"))
                .count();
    }

    @Test
    void a_lock_that_is_held_is_waited_for_and_stays_if_that_takes_too_long() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=" + REDIS.uri(), "hasp.close-within=1s")
                .run(context -> {
                    ConfigurableApplicationContext real = context.getSourceApplicationContext();
                    LockClient client = context.getBean(LockClient.class);
                    Lease lease = client.lock("held").acquireAsync().join();
                    real.stop();
                    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                    assertThat(connections()).isPositive();
                    real.start();
                    CompletableFuture<Void> stopping = CompletableFuture.runAsync(real::stop);
                    await().pollDelay(Duration.ofMillis(200)).until(() -> !stopping.isDone());
                    lease.close();
                    stopping.join();
                    await().untilAsserted(() -> assertThat(connections()).isZero());
                });
    }

    /** As the test framework of Spring 7 does with contexts that it does not use. */
    @Test
    void a_context_that_is_paused_has_no_sockets_either() {
        Method pause = ReflectionUtils.findMethod(ConfigurableApplicationContext.class, "pause");
        Method restart = ReflectionUtils.findMethod(ConfigurableApplicationContext.class, "restart");
        assumeThat(pause).as("Spring 6 pauses no context").isNotNull();
        Boot.withHasp().withPropertyValues("hasp.uri=" + REDIS.uri()).run(context -> {
            ConfigurableApplicationContext real = context.getSourceApplicationContext();
            lock(real);
            Objects.requireNonNull(pause).invoke(real);
            await().untilAsserted(() -> assertThat(connections()).isZero());
            Objects.requireNonNull(restart).invoke(real);
            lock(real);
        });
    }
}
