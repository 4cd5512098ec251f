package io.hasp.redis;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All calls of the API at random, see {@link RandomCalls}. */
@Timeout(600)
@InTier(Tier.STANDARD)
class RandomCallsTest {

    @ParameterizedTest
    @EnumSource(Through.class)
    void no_random_calls_break_a_promise_hang_or_leave_anything_behind(Through library) throws Exception {
        String connection = library.word();
        try (RedisServer redis = RedisServer.start()) {
            HaspSubject subject = HaspSubject.at(
                            "hasp-redis-" + connection,
                            Through.uri(redis.uri() + "?connection=" + connection),
                            Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, lock -> left(redis, lock)).run());
        }
    }

    @Test
    void no_random_calls_break_a_promise_of_redlock() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(3)) {
            HaspSubject subject = HaspSubject.at("hasp-redlock", nodes.uri());
            System.err.println(new RandomCalls(
                            subject,
                            lock -> nodes.nodes().stream()
                                    .flatMap(node -> left(node, lock).stream().map(key -> node.port() + " " + key))
                                    .toList())
                    .run());
        }
    }

    /** The lock's key, its queue and its waiters. Counters and tombstones stay for a while by design. */
    private static List<String> left(RedisServer redis, String lock) {
        String key = new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(lock));
        List<String> left = new ArrayList<>();
        if (Long.valueOf(1).equals(redis.command("EXISTS", key))) {
            boolean shared = "hash".equals(redis.command("TYPE", key));
            left.add(key + " = " + redis.command(shared ? "HGETALL" : "GET", key) + ", for "
                    + redis.command("PTTL", key) + " ms");
        }
        for (Object waiter : (List<?>) requireNonNull(redis.command("ZRANGE", key + ":q", "0", "-1"))) {
            left.add(key + ":q has " + waiter);
        }
        for (Object waiter : (List<?>) requireNonNull(redis.command("HKEYS", key + ":w"))) {
            left.add(key + ":w has " + waiter);
        }
        return left;
    }
}
