package io.hasp.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** A context that ends while a lock of its registry is held: no other client has the lock before the end of the work. */
@Timeout(60)
@InTier(Tier.STANDARD)
class ClosingContextTest {
    private static final String SERVICE = "memory://closing";
    private static final String LOCK = "closing";

    /** Of the work under the lock, which outlasts whatever does not wait for it. */
    static final class Work implements ApplicationListener<ContextClosedEvent> {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final AtomicBoolean ended = new AtomicBoolean();

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        void begin() {
            begun.countDown();
        }

        void end() {
            try {
                assertThat(closing.await(20, TimeUnit.SECONDS)).isTrue();
                Thread.sleep(700);
                ended.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Leads from its grant on, and needs a while to stop. */
    static final class Leader extends DefaultCandidate {
        private final Work work;

        Leader(Work work) {
            super("leader", LOCK);
            this.work = work;
        }

        @Override
        public void onGranted(Context context) {
            work.begin();
        }

        @Override
        public void onRevoked(Context context) {
            // An interrupt says that it is over, and is no reason to leave the work undone.
            boolean interrupted = false;
            while (!work.ended.get()) {
                interrupted |= Thread.interrupted();
                work.end();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneClient {
        @Bean
        LockClient lockClient() {
            return LockClient.connect(SERVICE);
        }
    }

    /** A client that abandons its leader before the leader has stopped. */
    @Configuration(proxyBeanMethods = false)
    static class ImpatientClient {
        @Bean
        LockClient lockClient() {
            return LockClient.connect(SERVICE, ClientOptions.defaults().closeWithin(Duration.ofMillis(100)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InitiatorBean {
        @Bean
        LockRegistryLeaderInitiator initiator(HaspLockRegistry registry, Work work) {
            return registry.leaderInitiator(new Leader(work));
        }
    }

    private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HaspLockRegistryAutoConfiguration.class))
            .withBean(Work.class);

    @Test
    void the_lock_of_a_thread_is_given_to_another_client_after_the_thread_has_unlocked() throws Exception {
        endsDuringItsWork(APPLICATION.withUserConfiguration(OneClient.class), (registry, work) -> {
            CompletableFuture.runAsync(() -> {
                Lock lock = registry.obtain(LOCK);
                lock.lock();
                try {
                    work.begin();
                    work.end();
                } finally {
                    lock.unlock();
                }
            });
        });
    }

    @Test
    void another_client_leads_after_the_leader_s_work_has_stopped() throws Exception {
        endsDuringItsWork(
                APPLICATION.withUserConfiguration(OneClient.class, InitiatorBean.class), (registry, work) -> {});
    }

    /** The client of Boot's configuration ends after all other beans, those of the registry among them. */
    @Test
    void another_client_leads_after_the_leader_s_work_has_stopped_with_boot_s_client_too() throws Exception {
        endsDuringItsWork(
                APPLICATION
                        .withConfiguration(AutoConfigurations.of(HaspAutoConfiguration.class))
                        .withPropertyValues("hasp.uri=" + SERVICE)
                        .withUserConfiguration(InitiatorBean.class),
                (registry, work) -> {});
    }

    @Test
    void a_leader_that_no_bean_stops_leads_until_its_work_has_ended_with_boot_s_client_too() throws Exception {
        endsDuringItsWork(
                APPLICATION
                        .withConfiguration(AutoConfigurations.of(HaspAutoConfiguration.class))
                        .withPropertyValues("hasp.uri=" + SERVICE),
                (registry, work) -> registry.leaderInitiator(new Leader(work)).start());
    }

    @Test
    void also_if_the_context_does_not_stop_its_initiator() throws Exception {
        endsDuringItsWork(
                APPLICATION.withUserConfiguration(ImpatientClient.class),
                (registry, work) -> registry.leaderInitiator(new Leader(work)).start());
    }

    private interface Begin {
        void begin(HaspLockRegistry registry, Work work);
    }

    private static void endsDuringItsWork(ApplicationContextRunner application, Begin begin) throws Exception {
        CompletableFuture<Boolean> endedFirst = new CompletableFuture<>();
        try (LockClient other = LockClient.connect(SERVICE)) {
            application.run(context -> {
                Work work = context.getBean(Work.class);
                begin.begin(context.getBean(HaspLockRegistry.class), work);
                assertThat(work.begun.await(20, TimeUnit.SECONDS)).isTrue();
                other.lock(LOCK).acquireAsync().thenAccept(lease -> {
                    endedFirst.complete(work.ended.get());
                    lease.releaseAsync();
                });
            });
            assertThat(endedFirst.get(40, TimeUnit.SECONDS))
                    .as("the work had ended when another client had its lock")
                    .isTrue();
        }
    }
}
