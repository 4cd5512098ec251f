package io.hasp.spring;

import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.LockedAutoConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The service of {@link StoppedServiceTest}: a scheduled job under a lock, which outlasts several ticks of its own schedule and ends a while
 * after the application has begun to end. A file is there while it works. Argument: the class with its configuration.
 */
final class StoppedService {
    static final String LOCK = "nightly";
    static final String AT_WORK = "the job has begun";
    private static final long TICK = 200;

    private StoppedService() {}

    public static void main(String[] args) throws ClassNotFoundException {
        SpringApplication.run(new Class<?>[] {Jobs.class, Class.forName(args[0])}, args);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Jobs {
        @Bean
        Job job(@Value("${file}") Path file) {
            return new Job(file);
        }
    }

    static class Job implements ApplicationListener<ContextClosedEvent> {
        private final Path file;
        private final CountDownLatch closing = new CountDownLatch(1);

        Job(Path file) {
            this.file = file;
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        @Locked(LOCK)
        public void run() throws IOException, InterruptedException {
            Files.createFile(file);
            System.out.println(AT_WORK);
            if (closing.await(60, TimeUnit.SECONDS)) {
                // The process would have ended, were the job not waited for.
                Thread.sleep(5 * TICK);
                Files.delete(file);
            }
        }
    }

    /** Made before the lock client, so destroyed after it, were the order of creation to decide. */
    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class OwnScheduler {
        @Bean
        static ThreadPoolTaskScheduler taskScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setWaitForTasksToCompleteOnShutdown(true);
            scheduler.setAwaitTerminationSeconds(20);
            return scheduler;
        }

        @Bean
        static Object early(ThreadPoolTaskScheduler taskScheduler) {
            return taskScheduler.toString();
        }

        @Bean
        OnTime onTime(Job job) {
            return new OnTime(job);
        }
    }

    static class OnTime {
        private final Job job;

        OnTime(Job job) {
            this.job = job;
        }

        @Scheduled(fixedRate = TICK)
        public void run() throws IOException, InterruptedException {
            job.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class CommonPool {
        @Bean
        Elsewhere elsewhere(Job job) {
            return new Elsewhere(job);
        }
    }

    /** No other bean waits for its job. */
    static class Elsewhere {
        private final Job job;
        private final AtomicBoolean begun = new AtomicBoolean();

        Elsewhere(Job job) {
            this.job = job;
        }

        @Scheduled(fixedRate = TICK)
        public void run() {
            if (begun.compareAndSet(false, true)) {
                CompletableFuture.runAsync(ShutdownTest.quietly(job::run));
            }
        }
    }
}
