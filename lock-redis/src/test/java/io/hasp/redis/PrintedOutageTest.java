package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.PrintedTrace;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that prints the exceptions of an outage prints few lines, with the cure. */
@InTier(Tier.STANDARD)
class PrintedOutageTest {
    private static final String REASON = "Connection refused";
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_server_that_is_down(String connection) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            assertShort(
                    server.uri() + "?commandTimeout=500ms&connection=" + connection,
                    server,
                    "127.0.0.1:" + server.port());
        }
    }

    @Test
    void nodes_that_are_down() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(3)) {
            assertShort(nodes.uri(), nodes, "127.0.0.1:" + nodes.node(0).port());
        }
    }

    private static void assertShort(String uri, Server server, String address) throws Exception {
        try (LockClient locks = LockClient.connect(Through.uri(uri))) {
            Lease held = locks.lock("held").acquire();
            server.kill();
            // The first calls find connections that break; these have another reason.
            await().until(() -> String.valueOf(
                            catchThrowable(() -> locks.lock("a").tryAcquire()))
                    .contains(REASON));
            assertShort("could not lock 'a'", address, () -> locks.lock("a").tryAcquire());
            assertShort("could not lock 'a'", address, () -> locks.lock("a").tryAcquire(Duration.ofMillis(50)));
            assertShort("could not lock 'a'", address, () -> locks.lock("a").tryRun(lease -> {}));
            assertShort(
                    "could not lock 'a'",
                    address,
                    () -> locks.lock("a").asReentrantLock().tryLock());
            assertShort("could not lock 'a'", address, () -> async(locks));
            assertShort("could not confirm the release of lock 'held'", address, () -> held.release());
            assertShort("could not connect to ", address, () -> LockClient.connect(Through.uri(uri)));
            assertTraceForDebug(locks);
            server.restart();
        }
    }

    private static void async(LockClient locks) throws Throwable {
        try {
            locks.lock("a").tryAcquireAsync(Duration.ZERO).join();
        } catch (CompletionException e) {
            throw e.getCause();
        }
    }

    private static void assertShort(String asked, String address, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(BackendException.class);
        assertThat(thrown.getMessage()).contains(asked, address, REASON);
        List<String> printed = PrintedTrace.beyondTheStackOf(PrintedOutageTest.class, thrown);
        assertThat(printed).as(String.join("\n", printed)).hasSizeLessThanOrEqualTo(6);
    }

    private static void assertTraceForDebug(LockClient locks) {
        LOGGER.setLevel(Level.FINE);
        try {
            Throwable thrown = catchThrowable(() -> locks.lock("a").tryAcquire());
            assertThat(PrintedTrace.beyondTheStackOf(PrintedOutageTest.class, thrown))
                    .as("what the client library threw")
                    .hasSizeGreaterThan(10)
                    .anySatisfy(line -> assertThat(line).contains("ConnectException"));
        } finally {
            LOGGER.setLevel(null);
        }
    }
}
