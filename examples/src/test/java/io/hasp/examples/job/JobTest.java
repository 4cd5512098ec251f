package io.hasp.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import io.hasp.test.HaspTest;
import io.hasp.test.TestLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job notices by its own clock that it lost its lock, whatever its server does. */
@HaspTest
@Timeout(60)
class JobTest {
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final AtomicLong steps = new AtomicLong();

    @Test
    void does_all_its_steps_while_the_lock_is_held(LockClient locks) throws Exception {
        assertThat(Job.run(locks.lock("job"), token -> steps.incrementAndGet() < 10))
                .isEqualTo(10)
                .isEqualTo(steps.get());
    }

    @Test
    void stops_in_the_middle_of_a_step_when_another_process_takes_over(TestLocks locks) {
        Job.Step endless = token -> {
            steps.incrementAndGet();
            locks.takeOver("job");
            new CountDownLatch(1).await();
            return true;
        };
        assertThatThrownBy(() -> Job.run(locks.client().lock("job"), endless)).isInstanceOf(LeaseLostException.class);
        assertThat(steps).as("steps that were begun").hasValue(1);
    }

    @Test
    void stops_between_two_steps_when_redis_stands_still() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            AtomicLong before = new AtomicLong();
            Runnable breaks = () -> {
                redis.pause();
                before.set(steps.get());
            };
            stopsInTime(redis.uri() + "?renewedLease=2s", this::shortStep, breaks, redis::resume);
            assertThat(steps).as("steps with those after the server stopped").hasValueGreaterThan(before.get() + 1);
        }
    }

    @Test
    void stops_in_the_middle_of_a_step_when_redis_stands_still() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            stopsInTime(redis.uri() + "?renewedLease=2s", this::endlessStep, redis::pause, redis::resume);
            assertThat(steps).as("steps that were begun").hasValue(1);
        }
    }

    @Test
    void stops_in_the_middle_of_a_step_when_zookeeper_stands_still() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + zookeeper.connectString() + "?sessionTimeout=2s";
            stopsInTime(uri, this::endlessStep, zookeeper::pause, zookeeper::resume);
        }
    }

    @Test
    void the_program_says_why_it_stopped_when_redis_is_killed() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Printed printed = Printed.fromNow()) {
            CompletableFuture<Void> program =
                    inBackground(() -> Job.main(new String[] {redis.uri() + "?renewedLease=2s"}));
            await().until(() -> printed.text().contains("imported file 3"));
            redis.kill();
            program.join();
            assertThat(printed.text())
                    .containsPattern(
                            "stopped: the lease of lock 'import' with token \\d+ \\(\\d+ on the server\\) was lost: ")
                    .doesNotContain("done");
        }
    }

    private boolean shortStep(long token) throws InterruptedException {
        steps.incrementAndGet();
        // The work of the step, not a wait for something to happen.
        Thread.sleep(10);
        return true;
    }

    private boolean endlessStep(long token) throws InterruptedException {
        steps.incrementAndGet();
        new CountDownLatch(1).await();
        return true;
    }

    private void stopsInTime(String uri, Job.Step step, Runnable breaks, Runnable mends) throws Exception {
        try (LockClient locks = LockClient.connect(uri)) {
            AtomicLong stopped = new AtomicLong();
            CompletableFuture<Void> job = inBackground(() -> {
                try {
                    Job.run(locks.lock("job"), step);
                } finally {
                    stopped.set(System.nanoTime());
                }
            });
            await().until(() -> steps.get() > 0);
            breaks.run();
            long broken = System.nanoTime();
            assertThatThrownBy(job::join).hasCauseInstanceOf(LeaseLostException.class);
            mends.run();
            assertThat(Duration.ofNanos(stopped.get() - broken))
                    .as("the server stood still for")
                    .isLessThan(LEASE.plus(Timings.tolerance()));
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inBackground(Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        work.run();
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                })
                .start();
        return done;
    }
}
