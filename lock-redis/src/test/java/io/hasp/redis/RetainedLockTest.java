package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** {@code takenAtLeast} on a real server: the lock outlives the process that is killed, and late requests prolong nothing. */
@Timeout(120)
@InTier(Tier.STANDARD)
class RetainedLockTest {
    private static final Duration LEAST = Duration.ofSeconds(6);
    private static final String LOCK = "hasp:{job}";

    /** A process that takes the lock, says so, and is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            LockClient client = LockClient.connect(args[0]);
            LockOptions options =
                    LockOptions.defaults().renewedLease(Duration.ofSeconds(1)).takenAtLeast(Duration.parse(args[1]));
            Lease lease = client.lock("job", options).acquire();
            System.out.println("has " + lease);
            System.out.flush();
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
    }

    @Test
    void a_process_that_is_killed_leaves_the_lock_taken() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LockClient client = LockClient.connect(URI.create(redis.uri()))) {
            long begun = System.nanoTime();
            Process holder = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holder.class.getName(),
                            redis.uri(),
                            LEAST.toString()))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(said.readLine()).startsWith("has Lease[job, HELD");
            } finally {
                holder.destroyForcibly();
            }
            assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
            long killed = System.nanoTime();
            try (Lease next =
                    client.lock("job").tryAcquire(Duration.ofSeconds(60)).orElseThrow()) {
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("after the start of the process, token " + next.fencingToken())
                        .isGreaterThanOrEqualTo(LEAST);
                assertThat(Duration.ofNanos(System.nanoTime() - killed))
                        .as("after its death: it was renewed until then, each time for that long")
                        .isLessThan(LEAST.plusSeconds(30));
            }
        }
    }

    @Test
    void the_server_keeps_the_lock_for_what_is_left_and_a_late_renewal_prolongs_nothing() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LockClient client = LockClient.connect(URI.create(redis.uri()));
                Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            Lease lease = client.lock("job", LockOptions.defaults().takenAtLeast(Duration.ofSeconds(20)))
                    .acquire();
            String before = jedis.get(LOCK);
            assertThat(jedis.pttl(LOCK))
                    .as("the client's lease is longer than that time")
                    .isBetween(22_001L, 30_000L);
            lease.release();
            assertThat(jedis.pttl(LOCK)).isBetween(1L, 22_000L);
            assertThat(jedis.get(LOCK)).isNotEqualTo(before).contains("-over|");
            assertThat(client.lock("job").tryAcquire()).isEmpty();

            String holder = before.split("\\|", -1)[1];
            String renew = io.hasp.redis.script.LockScript.RENEW.text();
            assertThat(jedis.eval(renew, List.of(LOCK, LOCK + ":t"), List.of(holder, "600000")))
                    .as("a renewal that was under way")
                    .isEqualTo("0");
            assertThat(jedis.pttl(LOCK)).isLessThanOrEqualTo(22_000L);
        }
    }
}
