package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.locked.Locked;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Jobs of a scheduler, and what ends in which order, in memory. */
@Timeout(60)
class LockedJobsTest {
    /** Its fields are not those of the proxy. */
    record Runs(CountDownLatch three, List<String> overlapped) {}

    static class Job {
        private final LockClient locks;
        private final Runs runs;

        Job(LockClient locks, Runs runs) {
            this.locks = locks;
            this.runs = runs;
        }

        @Scheduled(fixedRate = 20)
        @Locked(value = "job", waitAtMost = "0s", skipIfBusy = true)
        public void run() {
            if (locks.lock("job").tryAcquire().isPresent()) {
                runs.overlapped.add("without the lock");
            }
            runs.three.countDown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Jobs {
        @Bean
        Runs runs() {
            return new Runs(new CountDownLatch(3), new CopyOnWriteArrayList<>());
        }

        @Bean
        Job job(LockClient locks, Runs runs) {
            return new Job(locks, runs);
        }
    }

    @Test
    void a_scheduled_job_is_skipped_while_another_process_does_it() {
        try (LockClient other = LockClient.connect("memory://jobs");
                Lease elsewhere = other.lock("job").tryAcquire().orElseThrow()) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=memory://jobs")
                    .withUserConfiguration(Jobs.class)
                    .run(context -> {
                        Runs runs = context.getBean(Runs.class);
                        assertThat(runs.three.await(200, TimeUnit.MILLISECONDS)).isFalse();
                        assertThat(runs.three.getCount()).isEqualTo(3);
                        assertThat(elsewhere.release()).isEqualTo(ReleaseResult.RELEASED);
                        assertThat(runs.three.await(10, TimeUnit.SECONDS)).isTrue();
                        assertThat(runs.overlapped).isEmpty();
                    });
        }
    }

    /** Carries the job's signals, because the job itself is behind a proxy. */
    record Shutdown(CountDownLatch begun, CountDownLatch closing, List<Boolean> heldToTheEnd) {}

    static class LongJob {
        private final ObjectProvider<Lease> lease;
        private final Shutdown shutdown;

        LongJob(ObjectProvider<Lease> lease, Shutdown shutdown) {
            this.lease = lease;
            this.shutdown = shutdown;
        }

        @Scheduled(fixedDelay = 60_000)
        @Locked("long job")
        public void run() throws InterruptedException {
            shutdown.begun.countDown();
            if (shutdown.closing.await(10, TimeUnit.SECONDS)) {
                // Long enough for a client that does not wait to be closed under the job.
                Thread.sleep(200);
                shutdown.heldToTheEnd.add(lease.getObject().state() == LeaseState.HELD);
            }
        }
    }

    @Test
    void boots_scheduler_ends_its_running_job_before_the_client_is_closed() {
        Shutdown shutdown = new Shutdown(new CountDownLatch(1), new CountDownLatch(1), new CopyOnWriteArrayList<>());
        Boot.withHasp()
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withPropertyValues("hasp.uri=memory://shutdown")
                .withUserConfiguration(Scheduling.class)
                .withBean(Shutdown.class, () -> shutdown)
                .withBean(LongJob.class)
                .run(context -> {
                    assertThat(shutdown.begun.await(10, TimeUnit.SECONDS)).isTrue();
                    context.addApplicationListener(
                            (ApplicationListener<ContextClosedEvent>) closed -> shutdown.closing.countDown());
                });
        assertThat(shutdown.heldToTheEnd).containsExactly(true);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    /** Requests a lock in its destruction, without a declared dependency on the client. */
    static class LastWork implements DisposableBean {
        private final List<Boolean> locked;

        LastWork(List<Boolean> locked) {
            this.locked = locked;
        }

        @Locked("last")
        public void begin(LockClient client) {
            CLIENT.set(client);
        }

        @Override
        public void destroy() {
            locked.add(Objects.requireNonNull(CLIENT.get())
                    .lock("last")
                    .tryAcquire()
                    .isPresent());
        }
    }

    private static final AtomicReference<LockClient> CLIENT = new AtomicReference<>();

    @Test
    void a_bean_with_locked_methods_is_destroyed_before_its_client() {
        List<Boolean> locked = new ArrayList<>();
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://last")
                .withBean(LastWork.class, () -> new LastWork(locked))
                .run(context -> context.getBean(LastWork.class).begin(context.getBean(LockClient.class)));
        assertThat(locked).containsExactly(true);
    }

    static class Daily {
        private final AtomicInteger runs;

        Daily(AtomicInteger runs) {
            this.runs = runs;
        }

        @Locked(value = "daily", waitAtMost = "0s", skipIfBusy = true, takenAtLeast = "1h")
        public void run() {
            runs.incrementAndGet();
        }
    }

    @Test
    void a_job_that_was_quick_is_not_done_again_by_another_instance_although_the_first_one_has_ended() {
        AtomicInteger runs = new AtomicInteger();
        for (int instance = 0; instance < 2; instance++) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=memory://daily")
                    .withBean(Daily.class, () -> new Daily(runs))
                    .run(context -> {
                        context.getBean(Daily.class).run();
                        context.getBean(Daily.class).run();
                    });
        }
        assertThat(runs).hasValue(1);
    }
}
