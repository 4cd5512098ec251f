package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring's own initiator as a participant of the comparison. */
class SpringElectionTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration EXPIRY = Duration.ofSeconds(30);

    @Test
    void the_lock_of_a_leader_that_resigned_and_closed_is_free() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            SpringRedis subject = new SpringRedis(
                    RedisEndpoint.of("redis://127.0.0.1:" + redis.port()), RedisLockType.PUB_SUB_LOCK, EXPIRY);
            for (int term = 0; term < 3; term++) {
                try (LockUser leader = subject.open()) {
                    Optional<Hold> hold = leader.tryAcquire(HaspSubject.ELECTION + "free", LONG);
                    assertThat(hold).as("term " + term).isPresent();
                    assertThat(hold.get().release()).isTrue();
                }
            }
        }
    }

    /** A fault of Spring's, as of 7.0.5: nothing waits for the unlock, so the connection is often closed before it. */
    @Test
    void springs_initiator_leaves_the_lock_of_an_application_that_closes_after_it() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            int left = 0;
            for (int time = 0; time < 10; time++) {
                left += isLeft(RedisEndpoint.of("redis://127.0.0.1:" + redis.port()), "role-" + time) ? 1 : 0;
            }
            assertThat(left).isPositive();
        }
    }

    private static boolean isLeft(RedisEndpoint endpoint, String role) throws InterruptedException {
        LettuceConnectionFactory leaders = connection(endpoint);
        CountDownLatch elected = new CountDownLatch(1);
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(
                new RedisLockRegistry(leaders, "spring", EXPIRY.toMillis()), new DefaultCandidate("", role) {
                    @Override
                    public void onGranted(Context context) {
                        elected.countDown();
                    }
                });
        initiator.start();
        assertThat(elected.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        initiator.destroy();
        leaders.destroy();
        LettuceConnectionFactory others = connection(endpoint);
        try {
            return !new RedisLockRegistry(others, "spring", EXPIRY.toMillis())
                    .obtain(role)
                    .tryLock(1, TimeUnit.SECONDS);
        } finally {
            others.destroy();
        }
    }

    private static LettuceConnectionFactory connection(RedisEndpoint endpoint) {
        LettuceConnectionFactory connection = new LettuceConnectionFactory(SpringServers.of(endpoint));
        connection.afterPropertiesSet();
        connection.start();
        return connection;
    }
}
