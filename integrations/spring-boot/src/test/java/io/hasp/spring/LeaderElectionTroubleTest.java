package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.Registration;
import io.hasp.TermAction;
import io.hasp.spring.actuator.LockClientsCheck;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Contexts whose candidate is configured wrongly, or ends at a bad moment. */
@Timeout(60)
class LeaderElectionTroubleTest {
    private final ApplicationContextRunner memory = Boot.withHasp().withPropertyValues("hasp.uri=memory://trouble");

    @Configuration(proxyBeanMethods = false)
    static class TwoWorks {
        @Bean
        TermAction first() {
            return term -> new CountDownLatch(1).await();
        }

        @Bean
        TermAction second() {
            return term -> new CountDownLatch(1).await();
        }
    }

    @Test
    void two_works_are_refused() {
        memory.withPropertyValues("hasp.election.name=two")
                .withUserConfiguration(TwoWorks.class)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void an_election_of_no_particular_client_is_refused() {
        Boot.withHasp()
                .withPropertyValues(
                        "hasp.clients.a.uri=memory://a", "hasp.clients.b.uri=memory://b", "hasp.election.name=reports")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void a_name_that_is_empty_is_refused() {
        memory.withPropertyValues("hasp.election.name=").run(context -> {
            assertThat(context).hasFailed();
        });
    }

    @Test
    void a_pause_without_a_unit_is_refused() {
        memory.withPropertyValues("hasp.election.name=reports", "hasp.election.pause=30")
                .run(context -> {
                    assertThat(context).hasFailed();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Counting {
        final Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        final Queue<LeaderChange> heard = new ConcurrentLinkedQueue<>();

        @Bean
        TermAction work() {
            return term -> {
                tokens.add(term.fencingToken());
                new CountDownLatch(1).await();
            };
        }

        @EventListener
        void changed(LeaderChangedEvent event) {
            heard.add(event.change());
        }
    }

    @Test
    void a_context_that_is_stopped_and_started_again_leads_again() {
        memory.withPropertyValues("hasp.election.name=paused")
                .withUserConfiguration(Counting.class)
                .run(context -> {
                    ConfigurableApplicationContext real = context.getSourceApplicationContext();
                    LeaderElection election = context.getBean(LeaderElection.class);
                    Counting counting = context.getBean(Counting.class);
                    Queue<LeaderChange> own = new ConcurrentLinkedQueue<>();
                    Registration registration = election.onChange(Runnable::run, own::add);
                    for (int terms = 1; terms <= 3; terms++) {
                        int begun = terms;
                        await().until(() -> counting.tokens.size() == begun && election.isLeader());
                        await().until(() -> counting.heard.size() == 2 * begun - 1 && own.size() == 2 * begun - 1);
                        real.stop();
                        assertThat(election.isLeader()).isFalse();
                        assertThatThrownBy(election::join).isInstanceOf(ClientClosedException.class);
                        real.start();
                    }
                    assertThat(List.copyOf(counting.tokens)).isSorted();
                    await().until(election::isLeader);
                    assertThat(own).hasSize(7);
                    registration.close();
                    assertThat(election.resign()).isTrue();
                    await().until(() -> counting.tokens.size() == 5);
                    assertThat(own).hasSize(7);
                });
    }

    @Test
    void an_election_that_the_program_closed_stays_closed() {
        memory.withPropertyValues("hasp.election.name=left").run(context -> {
            ConfigurableApplicationContext real = context.getSourceApplicationContext();
            LeaderElection election = context.getBean(LeaderElection.class);
            await().until(election::isLeader);
            election.close();
            real.stop();
            real.start();
            assertThat(election.isLeader()).isFalse();
            assertThatThrownBy(election::join).isInstanceOf(ClientClosedException.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnElection {
        @Bean(destroyMethod = "")
        LeaderElection own(LockClient client) {
            return client.election("own");
        }
    }

    @Test
    void a_bean_of_the_program_has_no_candidate_when_its_context_is_started_again() {
        memory.withPropertyValues("hasp.election.name=replaced")
                .withUserConfiguration(OwnElection.class)
                .run(context -> {
                    ConfigurableApplicationContext real = context.getSourceApplicationContext();
                    LeaderElection election = context.getBean(LeaderElection.class);
                    await().until(election::isLeader);
                    real.stop();
                    real.start();
                    assertThat(election.isLeader()).isFalse();
                });
    }

    static class Store implements DisposableBean {
        final AtomicBoolean destroyed = new AtomicBoolean();
        final AtomicInteger writesAfterwards = new AtomicInteger();

        void write() {
            if (destroyed.get()) {
                writesAfterwards.incrementAndGet();
            }
        }

        @Override
        public void destroy() {
            destroyed.set(true);
        }
    }

    static final AtomicInteger TOO_LATE = new AtomicInteger();
    static final Queue<LeaderChange> HEARD = new ConcurrentLinkedQueue<>();

    @Configuration(proxyBeanMethods = false)
    static class UsesBeans {
        @Bean
        Store store() {
            return new Store();
        }

        @Bean
        TermAction work(Store store) {
            return term -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.sleep(300);
                    store.write();
                    TOO_LATE.addAndGet(store.writesAfterwards.get());
                }
            };
        }
    }

    static class SlowListener implements DisposableBean {
        final AtomicBoolean destroyed = new AtomicBoolean();

        @EventListener
        void changed(LeaderChangedEvent event) throws InterruptedException {
            Thread.sleep(400);
            HEARD.add(event.change());
            if (destroyed.get()) {
                TOO_LATE.incrementAndGet();
            }
        }

        @Override
        public void destroy() {
            destroyed.set(true);
        }
    }

    @Test
    void work_ends_before_its_beans_are_destroyed() {
        TOO_LATE.set(0);
        memory.withPropertyValues("hasp.election.name=beans")
                .withUserConfiguration(UsesBeans.class)
                .run(context -> await().until(context.getBean(LeaderElection.class)::isLeader));
        assertThat(TOO_LATE).hasValue(0);
    }

    @Test
    void listeners_hear_of_the_end_before_they_are_destroyed() {
        TOO_LATE.set(0);
        HEARD.clear();
        memory.withPropertyValues("hasp.election.name=heard")
                .withBean(SlowListener.class)
                .run(context -> await().until(() -> HEARD.size() == 1));
        assertThat(TOO_LATE).hasValue(0);
        assertThat(HEARD).hasSize(2);
    }

    @Test
    void two_contexts_of_a_process_lead_in_turn() {
        ApplicationContextRunner electing = memory.withPropertyValues("hasp.election.name=both");
        electing.run(first -> electing.run(second -> {
            LeaderElection one = first.getBean(LeaderElection.class);
            LeaderElection two = second.getBean(LeaderElection.class);
            await().until(() -> one.isLeader());
            assertThat(two.isLeader()).isFalse();
            one.resign();
            await().until(() -> two.isLeader());
            assertThat(one.isLeader()).isFalse();
        }));
    }

    @Test
    void health_of_a_closed_client() {
        memory.withPropertyValues("hasp.election.name=down").run(context -> {
            await().until(context.getBean(LeaderElection.class)::isLeader);
            LockClient client = context.getBean(LockClient.class);
            client.close();
            LockClientsCheck check =
                    new LockClientsCheck(Map.of("c", client), context.getBeansOfType(LeaderElection.class));
            assertThat(check.run().up()).isFalse();
            assertThat(check.run().details().get("leaderElection")).startsWith("does not lead");
        });
    }
}
