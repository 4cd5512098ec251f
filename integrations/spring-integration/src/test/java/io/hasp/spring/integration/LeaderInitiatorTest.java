package io.hasp.spring.integration;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.OnFailedToAcquireMutexEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * The cases of Spring Integration's {@code LockRegistryLeaderInitiatorTests} and {@code RedisLockRegistryLeaderInitiatorTests}, and what Spring's
 * initiator alone does not keep: the end of a leadership comes before the release.
 */
@Timeout(60)
class LeaderInitiatorTest {
    private static final Duration NEVER = Duration.ofHours(1);

    private final LockClient client = connect();
    private final LockClient otherClient = connect();
    private final HaspLockRegistry registry = new HaspLockRegistry(client);
    private final HaspLockRegistry otherRegistry = new HaspLockRegistry(otherClient);
    private final List<String> log = new CopyOnWriteArrayList<>();
    private BooleanSupplier free = this::isFree;
    private final LockRegistryLeaderInitiator first = initiator("first", registry);
    private final LockRegistryLeaderInitiator second = initiator("second", otherRegistry);

    private static LockClient connect() {
        return LockClient.connect("memory://leaders");
    }

    @AfterEach
    void stop() {
        first.stop();
        second.stop();
        client.closeNow();
        otherClient.closeNow();
    }

    /** Its events are logged with its name and whether the lock was free then. */
    private LockRegistryLeaderInitiator initiator(String name, HaspLockRegistry on) {
        LockRegistryLeaderInitiator initiator = on.leaderInitiator(new Candidate() {
            @Override
            public String getRole() {
                return "role";
            }

            @Override
            public String getId() {
                return name;
            }

            @Override
            public void onGranted(Context context) {
                log.add(name + " granted");
            }

            @Override
            public void onRevoked(Context context) {
                log.add(name + " revoked" + (context.isLeader() ? " and leads" : "")
                        + (free.getAsBoolean() ? " and is free" : ""));
            }
        });
        initiator.setApplicationEventPublisher(new ApplicationEventPublisher() {
            @Override
            public void publishEvent(Object event) {
                log.add(name + " " + event.getClass().getSimpleName() + (free.getAsBoolean() ? " and is free" : ""));
            }

            @Override
            public void publishEvent(ApplicationEvent event) {
                publishEvent((Object) event);
            }
        });
        return initiator;
    }

    private boolean isFree() {
        try (LockClient third = connect()) {
            return third.lock("role").tryAcquire().map(Lease::release).isPresent();
        }
    }

    private void awaitLog(String line) {
        await().pollInterval(Duration.ofMillis(10)).until(() -> log.contains(line));
    }

    private static final String GRANTED = " " + OnGrantedEvent.class.getSimpleName();
    private static final String REVOKED = " " + OnRevokedEvent.class.getSimpleName();

    @Test
    void starts_and_stops() {
        assertThat(first.getContext().isLeader()).isFalse();
        first.start();
        awaitLog("first" + GRANTED);
        assertThat(first.isRunning()).isTrue();
        assertThat(first.getContext().isLeader()).isTrue();
        first.stop();
        assertThat(first.getContext().isLeader()).isFalse();
        assertThat(log).containsExactly("first granted", "first" + GRANTED, "first revoked", "first" + REVOKED);
        assertThat(isFree()).as("stop waits for the release").isTrue();
    }

    @Test
    void a_leader_yields_before_another_begins_and_leads_again() {
        first.setBusyWaitMillis(1000);
        first.start();
        awaitLog("first" + GRANTED);
        second.start();
        first.getContext().yield();
        awaitLog("second" + GRANTED);
        assertThat(first.getContext().isLeader()).isFalse();
        assertThat(second.getContext().isLeader()).isTrue();
        second.setBusyWaitMillis(5000);
        second.getContext().yield();
        await().until(() -> first.getContext().isLeader());
        await().until(() -> log.size() == 10);
        assertThat(log)
                .containsExactly(
                        "first granted",
                        "first" + GRANTED,
                        "first revoked",
                        "first" + REVOKED,
                        "second granted",
                        "second" + GRANTED,
                        "second revoked",
                        "second" + REVOKED,
                        "first granted",
                        "first" + GRANTED);
    }

    @Test
    void another_begins_when_the_leader_stops_and_says_so_if_it_failed_to_begin() {
        second.setPublishFailedEvents(true);
        first.start();
        awaitLog("first" + GRANTED);
        second.setHeartBeatMillis(50);
        second.start();
        awaitLog("second " + OnFailedToAcquireMutexEvent.class.getSimpleName());
        first.stop();
        awaitLog("second" + GRANTED);
        assertThat(log.indexOf("first" + REVOKED)).isLessThan(log.indexOf("second granted"));
    }

    @Test
    void two_initiators_of_one_registry_take_turns_as_well() {
        LockRegistryLeaderInitiator third = initiator("third", registry);
        first.start();
        awaitLog("first" + GRANTED);
        third.start();
        first.stop();
        awaitLog("third" + GRANTED);
        third.stop();
        assertThat(log).doesNotContain("first revoked and is free", "third revoked and is free");
    }

    @Test
    void an_exception_of_an_event_changes_nothing() {
        first.setLeaderEventPublisher(new DefaultLeaderEventPublisher() {
            @Override
            public void publishOnGranted(Object source, Context context, String role) {
                log.add("publishes");
                throw new IllegalStateException("intentional");
            }

            @Override
            public void publishOnRevoked(Object source, Context context, String role) {
                throw new IllegalStateException("intentional");
            }
        });
        first.start();
        awaitLog("publishes");
        assertThat(first.getContext().isLeader()).isTrue();
        first.stop();
        assertThat(log).containsExactly("first granted", "publishes", "first revoked");
        assertThat(isFree()).isTrue();
    }

    @Test
    void a_selector_that_is_stopped_by_its_own_thread_exits() {
        LockRegistryLeaderInitiator own = registry.leaderInitiator(new DefaultCandidate() {
            @Override
            public void onGranted(Context context) {
                log.add("own granted");
                own().stop();
            }

            @Override
            public void onRevoked(Context context) {
                log.add("own revoked");
            }

            private LockRegistryLeaderInitiator own() {
                return holder.get(0);
            }
        });
        holder.add(own);
        own.start();
        awaitLog("own revoked");
        assertThat(own.isRunning()).isFalse();
        assertThat(log).containsExactly("own granted", "own revoked");
    }

    private final List<LockRegistryLeaderInitiator> holder = new CopyOnWriteArrayList<>();

    @Test
    void a_leader_is_renewed_whatever_the_options_of_the_registry() throws Exception {
        LockOptions ending =
                LockOptions.defaults().fixedLease(Duration.ofMillis(100)).maxHold(Duration.ofMillis(200));
        LockRegistryLeaderInitiator leader = initiator("renewed", new HaspLockRegistry(client, "", ending));
        leader.setHeartBeatMillis(NEVER.toMillis());
        leader.start();
        awaitLog("renewed" + GRANTED);
        Thread.sleep(500);
        assertThat(leader.getContext().isLeader()).isTrue();
        leader.stop();
        assertThat(log).contains("renewed revoked");
    }

    /** The page on Spring's initiator: a lock that interrupts allows any heartbeat. */
    @Test
    void a_loss_ends_the_leadership_without_a_heartbeat_and_another_begins() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(redis.port());
                LockClient cut = LockClient.connect("redis://127.0.0.1:" + proxy.port() + "?renewedLease=3s");
                LockClient whole = LockClient.connect(redis.uri())) {
            free = () -> false;
            LockRegistryLeaderInitiator leader = initiator("cut", new HaspLockRegistry(cut));
            leader.setHeartBeatMillis(NEVER.toMillis());
            leader.setBusyWaitMillis(NEVER.toMillis());
            leader.start();
            awaitLog("cut" + GRANTED);
            proxy.set(TrafficPolicy.DROP);
            LockRegistryLeaderInitiator next = new HaspLockRegistry(whole)
                    .leaderInitiator(new DefaultCandidate("next", "role") {
                        @Override
                        public void onGranted(Context context) {
                            log.add("next granted" + (leader.getContext().isLeader() ? " beside a leader" : ""));
                        }
                    });
            next.start();
            awaitLog("next granted");
            awaitLog("cut" + REVOKED);
            proxy.heal();
            next.stop();
            leader.stop();
        }
    }

    @Test
    void a_leader_whose_client_closes_is_told_and_goes_on_as_a_candidate() {
        first.setHeartBeatMillis(NEVER.toMillis());
        first.start();
        awaitLog("first" + GRANTED);
        client.closeNow();
        await().until(() -> log.stream().anyMatch(line -> line.startsWith("first" + REVOKED)));
        assertThat(first.isRunning()).isTrue();
    }

    @Test
    void spring_s_own_initiator_ends_on_a_loss_of_an_interrupting_registry() throws Exception {
        HaspLockRegistry interrupting = new HaspLockRegistry(
                client,
                "",
                LockOptions.defaults().maxHold(Duration.ofMillis(300)).onLoss(io.hasp.OnLoss.INTERRUPT));
        CountDownLatch revoked = new CountDownLatch(1);
        LockRegistryLeaderInitiator plain =
                new LockRegistryLeaderInitiator(interrupting, new DefaultCandidate("1", "role") {
                    @Override
                    public void onRevoked(Context context) {
                        revoked.countDown();
                    }
                });
        plain.setHeartBeatMillis(NEVER.toMillis());
        plain.start();
        assertThat(revoked.await(10_000, MILLISECONDS)).isTrue();
        plain.stop();
    }

    @Test
    void a_candidate_has_the_token_of_its_term() {
        LockRegistryLeaderInitiator leader = registry.leaderInitiator(new DefaultCandidate("1", "role") {
            @Override
            public void onGranted(Context context) {
                log.add("token " + (((TermContext) context).term().fencingToken() > 0));
            }

            @Override
            public void onRevoked(Context context) {
                log.add(context + ", role " + context.getRole());
            }
        });
        leader.start();
        awaitLog("token true");
        await().until(() -> leader.getContext().isLeader());
        leader.stop();
        assertThat(log).hasSize(2);
        assertThat(log.get(1)).contains("role, token").contains("ended").endsWith("role role");
    }

    @Test
    void an_initiator_starts_again_after_a_stop() {
        for (int times = 1; times <= 3; times++) {
            int granted = times;
            first.start();
            await().until(() -> Collections.frequency(log, "first" + GRANTED) == granted);
            first.stop();
            assertThat(first.isRunning()).isFalse();
            assertThat(Collections.frequency(log, "first" + REVOKED)).isEqualTo(granted);
        }
    }
}
