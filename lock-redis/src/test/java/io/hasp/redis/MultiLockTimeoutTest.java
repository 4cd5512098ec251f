package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls about several locks of a server that falls silent: no call takes a command timeout for each lock. */
class MultiLockTimeoutTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final int LOCKS = 12;

    static void assertUnavailableWithin(int timeouts, Duration timeout, ThrowingCallable call) {
        try (MachineLateness lateness = new MachineLateness()) {
            long began = System.nanoTime();
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(call)
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(BackendException.Kind.UNAVAILABLE));
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(timeout.multipliedBy(timeouts).plus(timeout).plus(lateness.allowance()));
        }
    }

    private static MultiLock all(LockClient client, LockOptions options) {
        return client.allOf(IntStream.range(0, LOCKS)
                .mapToObj(i -> client.lock("n" + i, options))
                .toList());
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void an_extension_takes_one_timeout(Through library) {
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofMinutes(1));
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.over(library.source(server, TIMEOUT), ClientOptions.defaults());
                MultiLease lease = all(client, fixed).tryAcquire().orElseThrow()) {
            server.pause();
            assertUnavailableWithin(1, TIMEOUT, () -> lease.extend(Duration.ofMinutes(2)));
            server.resume();
            lease.extend(Duration.ofMinutes(2));
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(90));
        }
    }

    /** The texts of the scripts follow the answers one after the other, on the thread of the call. */
    @Test
    void scripts_that_the_server_has_lost_take_two() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                LockClient client =
                        LockClient.over(Through.JEDIS.source(proxy.port(), TIMEOUT), ClientOptions.defaults())) {
            MultiLock all = all(client, LockOptions.defaults());
            all.run(lease -> {});
            server.command("SCRIPT", "FLUSH");
            CompletableFuture<?> silent = proxy.when(Direction.REPLIES, "NOSCRIPT", connection -> server.pause());
            assertUnavailableWithin(2, TIMEOUT, all::tryAcquire);
            assertThat(silent).isDone();
            server.resume();
            all.run(lease -> {});
        }
    }
}
