package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.TermAction;
import io.hasp.spring.actuator.LockClientsCheck;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** The candidate of {@code hasp.election}. */
@Timeout(60)
class LeaderElectionTest {
    private final ApplicationContextRunner memory = Boot.withHasp().withPropertyValues("hasp.uri=memory://elections");

    @Configuration(proxyBeanMethods = false)
    static class Listening {
        final Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();

        @EventListener
        void changed(LeaderChangedEvent event) {
            changes.add(event.change());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Working {
        final AtomicBoolean interrupted = new AtomicBoolean();
        final CountDownLatch begun = new CountDownLatch(1);

        @Bean
        TermAction work() {
            return term -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
            };
        }
    }

    @Test
    void there_is_no_candidate_without_a_name() {
        memory.run(context -> assertThat(context).doesNotHaveBean(LeaderElection.class));
    }

    @Test
    void the_candidate_leads_once_the_application_has_started_and_tells_its_listeners() {
        memory.withPropertyValues("hasp.election.name=reports", "hasp.election.label=node 3")
                .withUserConfiguration(Listening.class)
                .run(context -> {
                    LeaderElection election = context.getBean(LeaderElection.class);
                    assertThat(election.name()).isEqualTo("reports");
                    assertThat(election.label()).isEqualTo("node 3");
                    await().until(election::isLeader);
                    Queue<LeaderChange> changes = context.getBean(Listening.class).changes;
                    await().until(() -> changes.size() == 1);
                    assertThat(election.resign()).isTrue();
                    await().until(() -> changes.size() == 3);
                    assertThat(List.copyOf(changes).get(1)).isInstanceOf(LeaderChange.Ended.class);
                });
    }

    @Test
    void the_health_says_who_leads() {
        memory.withPropertyValues("hasp.election.name=reports").run(context -> {
            LeaderElection election = context.getBean(LeaderElection.class);
            await().until(election::isLeader);
            LockClientsCheck check = new LockClientsCheck(
                    context.getBeansOfType(LockClient.class), context.getBeansOfType(LeaderElection.class));
            assertThat(check.run().up()).isTrue();
            assertThat(check.run().details().get("leaderElection")).startsWith("leads election 'reports' with token ");
            election.close();
            assertThat(check.run().up()).isTrue();
            assertThat(check.run().details())
                    .isEqualTo(Map.of("lockClient", "answers", "leaderElection", "does not lead election 'reports'"));
        });
    }

    @Test
    void work_is_interrupted_when_the_application_ends_and_another_one_leads() {
        Working[] first = new Working[1];
        ApplicationContextRunner electing = memory.withPropertyValues("hasp.election.name=work");
        electing.withUserConfiguration(Working.class).run(context -> {
            first[0] = context.getBean(Working.class);
            first[0].begun.await();
        });
        assertThat(first[0].interrupted).isTrue();
        electing.run(context -> await().until(context.getBean(LeaderElection.class)::isLeader));
    }
}
