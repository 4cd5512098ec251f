package io.hasp.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.rules.CrashRules;
import io.hasp.conformance.rules.LivenessRules;
import io.hasp.conformance.rules.QueueRules;
import io.hasp.conformance.rules.support.IsolatedClient;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The rules about waiting with {@link Notification#POLL}: no message wakes a waiter. */
class PollingConformanceTest implements QueueRules, LivenessRules, CrashRules {
    private static final RedisServer REDIS = RedisServer.start("timeout 1");

    @BeforeAll
    static void inTheFullTier() {
        assumeTrue(Tier.current() == Tier.FULL, "the full tier only: PollingTest has waiters of such clients");
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    /** Polls in a client process, by a URI. */
    public static final class Polling implements SubjectFactory {
        @Override
        public HaspSubject subject(String uri) {
            RedisConfig config =
                    RedisConfig.of(URI.create(uri)).locks(RedisLocks.defaults().notification(Notification.POLL));
            return new HaspSubject(
                            "hasp-redis-jedis-poll",
                            options -> LockClient.over(RedisBackend.on(config), options),
                            Claimed.FIFO,
                            Claimed.TOKEN_AFTER_DATA_LOSS)
                    .sharing();
        }
    }

    private static String uri(String address) {
        return "redis://" + address + "?connection=jedis";
    }

    private static HaspSubject at(int port) {
        return new Polling().subject(uri("127.0.0.1:" + port));
    }

    private static String key(String name) {
        return new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(name));
    }

    @Override
    public HaspSubject subject() {
        return at(REDIS.port());
    }

    @Override
    public Faults faults() {
        return new RedisFaults(REDIS, PollingConformanceTest::key, name -> key(name) + ":q");
    }

    @Override
    public ClientJvm process(String name) {
        return ClientJvm.start(name, Polling.class, uri("127.0.0.1:" + REDIS.port()) + "&commandTimeout=10s");
    }

    @Override
    public ProxiedSubject proxied() {
        FaultProxy proxy = FaultProxy.before(REDIS.port());
        Duration lease = Timings.lease().multipliedBy(3);
        return new ProxiedSubject(proxy, at(proxy.port()).leasing(lease), lease);
    }

    @Override
    public IsolatedClient isolated(String name) {
        return IsolatedClient.of(name, REDIS.port(), Polling.class, PollingConformanceTest::uri);
    }

    /** A hundred turns of up to half a second take longer than its waiters wait. */
    @Override
    @Test
    public void li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait() {
        throw new TestAbortedException("no message wakes a waiter");
    }

    @Override
    public Set<String> skips() {
        return Set.of("li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait");
    }
}
