package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.VirtualThreads;
import io.hasp.locked.Locked;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** An application that ends while a job runs under a lock: no other client has the lock before the end of the job. */
@Timeout(120)
@InTier(Tier.STANDARD)
class ShutdownTest {
    private static final String SERVICE = "memory://ends";
    private static final String VIRTUAL = "spring.threads.virtual.enabled=true";
    private static final String PERIOD = "spring.task.execution.shutdown.await-termination-period=20s";
    private static final String AWAIT = "spring.task.execution.shutdown.await-termination=true";

    /** Of the job that runs when the application begins to end, and of the one behind it. */
    static final class Progress implements ApplicationListener<ContextClosedEvent> {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch closing = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        final List<String> done = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        void work() throws InterruptedException {
            begun.countDown();
            if (closing.await(20, TimeUnit.SECONDS)) {
                // The application would have ended, were the job not waited for.
                Thread.sleep(700);
                ended.countDown();
                done.add("job");
            }
        }
    }

    static class Work {
        private final Progress progress;

        Work(Progress progress) {
            this.progress = progress;
        }

        @Locked("job")
        public void run() throws InterruptedException {
            progress.work();
        }

        @Locked("next")
        public void next() {
            progress.done.add("next");
        }
    }

    /** Starts a job on a thread. */
    interface Starter {
        void start(Task job);
    }

    interface Task {
        void run() throws Exception;
    }

    static Runnable quietly(Task task) {
        return () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {
        @Bean
        Work work(Progress progress) {
            return new Work(progress);
        }
    }

    private static ThreadPoolTaskScheduler scheduler(boolean late) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(1);
        scheduler.setWaitForTasksToCompleteOnShutdown(true);
        scheduler.setAwaitTerminationSeconds(20);
        scheduler.setAcceptTasksAfterContextClose(late);
        return scheduler;
    }

    private static ThreadPoolTaskExecutor executor(boolean late) {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(1);
        executor.setMaxPoolSize(1);
        executor.setWaitForTasksToCompleteOnShutdown(true);
        executor.setAwaitTerminationSeconds(20);
        executor.setAcceptTasksAfterContextClose(late);
        return executor;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScheduler {
        @Bean
        static ThreadPoolTaskScheduler own() {
            return scheduler(false);
        }

        @Bean
        Starter starter(ThreadPoolTaskScheduler own) {
            return job -> own.execute(quietly(job));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLateScheduler {
        @Bean
        static ThreadPoolTaskScheduler own() {
            return scheduler(true);
        }

        @Bean
        Starter starter(ThreadPoolTaskScheduler own) {
            return job -> own.execute(quietly(job));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnExecutor {
        @Bean
        static ThreadPoolTaskExecutor own() {
            return executor(false);
        }

        @Bean
        Starter starter(ThreadPoolTaskExecutor own) {
            return job -> own.execute(quietly(job));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLateExecutor {
        @Bean
        static ThreadPoolTaskExecutor own() {
            return executor(true);
        }

        @Bean
        Starter starter(ThreadPoolTaskExecutor own) {
            return job -> own.execute(quietly(job));
        }
    }

    static class OnOtherThreads {
        @Async
        public void run(Task job) {
            quietly(job).run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {
        /** Makes Boot's executor before the client. */
        @Bean
        static Object early(Executor applicationTaskExecutor) {
            return applicationTaskExecutor.toString();
        }

        @Bean
        OnOtherThreads others() {
            return new OnOtherThreads();
        }

        @Bean
        Starter starter(OnOtherThreads others) {
            return others::run;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class EarlyScheduling {
        @Bean
        static Object early(TaskScheduler scheduler) {
            return scheduler.toString();
        }

        @Bean
        OnTime onTime(Work work) {
            return new OnTime(work);
        }

        @Bean
        Starter starter() {
            return job -> {};
        }
    }

    static class OnTime {
        private final Work work;

        OnTime(Work work) {
            this.work = work;
        }

        @Scheduled(fixedDelay = 60_000)
        public void run() throws InterruptedException {
            work.run();
        }
    }

    /** The application's own threads, and the bean that waits for them. */
    static final class Pool implements DisposableBean {
        final ExecutorService threads = Executors.newSingleThreadExecutor();

        @Override
        public void destroy() throws InterruptedException {
            threads.shutdown();
            assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPool {
        @Bean
        static Pool pool() {
            return new Pool();
        }

        @Bean
        Starter starter(Pool pool) {
            return job -> pool.threads.execute(quietly(job));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CommonPool {
        @Bean
        Starter starter() {
            return job -> CompletableFuture.runAsync(quietly(job));
        }
    }

    static Stream<Arguments> waiting() {
        return Stream.of(
                arguments(OwnScheduler.class, new String[0], true),
                arguments(OwnLateScheduler.class, new String[0], true),
                arguments(OwnExecutor.class, new String[0], true),
                arguments(OwnLateExecutor.class, new String[0], true),
                arguments(Asynchronous.class, new String[] {AWAIT}, false),
                arguments(
                        Asynchronous.class,
                        new String[] {AWAIT, PERIOD, "spring.task.execution.pool.core-size=1"},
                        true),
                arguments(Asynchronous.class, new String[] {AWAIT, VIRTUAL}, false),
                arguments(Asynchronous.class, new String[] {AWAIT, PERIOD, VIRTUAL}, true),
                arguments(EarlyScheduling.class, new String[0], false),
                arguments(
                        EarlyScheduling.class,
                        new String[] {
                            "spring.task.scheduling.shutdown.await-termination=true",
                            "spring.task.scheduling.shutdown.await-termination-period=20s"
                        },
                        false),
                arguments(OwnPool.class, new String[0], true),
                arguments(CommonPool.class, new String[0], false));
    }

    private static void assumePossible(String... properties) {
        Assumptions.assumeTrue(
                VirtualThreads.exist() || !List.of(properties).contains(VIRTUAL),
                () -> "there are no virtual threads before Java 21; this is Java " + Runtime.version());
    }

    private final ApplicationContextRunner tasks = Boot.withHasp()
            .withConfiguration(
                    AutoConfigurations.of(TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
            .withBean(Progress.class);

    @ParameterizedTest
    @MethodSource("waiting")
    void the_lock_of_a_job_is_not_given_to_another_client_before_the_end_of_the_job(
            Class<?> configuration, String[] properties, boolean drains) throws Exception {
        assumePossible(properties);
        endsDuringItsJob(
                tasks.withPropertyValues("hasp.uri=" + SERVICE)
                        .withPropertyValues(properties)
                        .withUserConfiguration(configuration, Jobs.class),
                drains);
    }

    /** In which the application looks for its locks. */
    static final class Connection implements AutoCloseable {
        private final List<String> done;

        Connection(Progress progress) {
            this.done = progress.done;
        }

        @Override
        public void close() {
            done.add("connection");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {
        @Bean
        Connection connection(Progress progress) {
            return new Connection(progress);
        }

        @Bean
        LockClient mine(Connection connection) {
            return LockClient.connect(SERVICE);
        }
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void nor_with_a_client_that_the_application_made_on_its_own_connection(
            Class<?> configuration, String[] properties, boolean drains) throws Exception {
        assumePossible(properties);
        List<String> done = endsDuringItsJob(
                tasks.withPropertyValues(properties).withUserConfiguration(configuration, OwnClient.class, Jobs.class),
                drains);
        assertThat(done).endsWith("connection");
    }

    /** Returns what was done, in its order. */
    private static List<String> endsDuringItsJob(ApplicationContextRunner application, boolean drains)
            throws Exception {
        Progress[] progress = new Progress[1];
        boolean[] endedFirst = new boolean[1];
        try (LockClient other = LockClient.connect(SERVICE)) {
            CompletableFuture<Void> others = new CompletableFuture<>();
            application.run(context -> {
                progress[0] = context.getBean(Progress.class);
                Work work = context.getBean(Work.class);
                context.getBean(Starter.class).start(work::run);
                assertThat(progress[0].begun.await(20, TimeUnit.SECONDS)).isTrue();
                if (drains) {
                    context.getBean(Starter.class).start(work::next);
                }
                other.lock("job").acquireAsync().thenAccept(lease -> {
                    endedFirst[0] = progress[0].ended.getCount() == 0;
                    lease.releaseAsync();
                    others.complete(null);
                });
            });
            others.get(20, TimeUnit.SECONDS);
        }
        assertThat(endedFirst[0])
                .as("the job had ended when another client had its lock")
                .isTrue();
        assertThat(progress[0].done).contains("job");
        if (drains) {
            assertThat(progress[0].done).as("a job that waited for its thread").contains("next");
        }
        return progress[0].done;
    }

    @Test
    void the_client_works_until_all_other_beans_have_ended() {
        List<Boolean> locked = new CopyOnWriteArrayList<>();
        LockClient[] client = new LockClient[1];
        Boot.withHasp()
                .withBean("first", DisposableBean.class, () -> () -> locked.add(takes(client[0])))
                .withPropertyValues("hasp.uri=" + SERVICE)
                .run(context -> client[0] = context.getBean(LockClient.class));
        assertThat(locked).containsExactly(true);
    }

    private static boolean takes(LockClient client) {
        try (Lease lease = client.lock("at the end").tryAcquire().orElseThrow()) {
            return lease.fencingToken() > 0;
        }
    }
}
