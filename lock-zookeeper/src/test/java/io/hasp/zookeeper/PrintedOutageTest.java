package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.conformance.rules.support.PrintedTrace;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The exception of an outage prints few lines, and they help. */
class PrintedOutageTest {

    @Test
    void a_server_that_is_down() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + server.connectString() + "?connectionTimeout=1s&commandTimeout=500ms";
            try (LockClient locks = LockClient.connect(uri)) {
                server.pause();
                assertShort(server, "could not lock 'a'", () -> locks.lock("a").tryAcquire());
                server.resume();
                locks.lock("a").acquire().release();
                server.kill();
                // The first call notices that the connection breaks.
                await().until(() -> String.valueOf(
                                catchThrowable(() -> locks.lock("a").tryAcquire()))
                        .contains("not connected"));
                assertShort(server, "could not lock 'a'", () -> locks.lock("a").tryAcquire());
                assertShort(server, "could not lock 'a'", () -> locks.lock("a").tryAcquire(Duration.ofMillis(50)));
                assertShort(server, "could not lock 'a'", () -> locks.lock("a").tryRun(lease -> {}));
                assertShort(
                        server,
                        "could not lock 'a'",
                        () -> locks.lock("a").asReentrantLock().tryLock());
                assertShort(server, "could not lock 'a'", () -> async(locks));
                assertShort(server, "could not connect to ", () -> LockClient.connect(uri));
            }
        }
    }

    private static void async(LockClient locks) throws Throwable {
        try {
            locks.lock("a").tryAcquireAsync(Duration.ZERO).join();
        } catch (CompletionException e) {
            throw e.getCause();
        }
    }

    private static void assertShort(ZooKeeperServer server, String asked, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(BackendException.class);
        assertThat(thrown.getMessage()).contains(asked, server.connectString());
        List<String> printed = PrintedTrace.beyondTheStackOf(PrintedOutageTest.class, thrown);
        assertThat(printed).as(String.join("\n", printed)).hasSizeLessThanOrEqualTo(6);
    }
}
