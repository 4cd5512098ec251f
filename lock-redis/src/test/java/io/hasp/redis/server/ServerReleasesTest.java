package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The client's memory of holders that it has released. */
class ServerReleasesTest {
    private static final Claim CLAIM =
            Claim.renewedLease(new LockName("x"), new HolderId("h"), Duration.ofSeconds(30), false);

    private final StubConnection connection = new StubConnection();
    private final HolderRegistry holders = new HolderRegistry();
    private final ServerReleases releases = new ServerReleases(
            connection, new ScriptRunner(connection, new StandingClock()), new LockKeys("hasp"), holders);

    /** The engine repeats a release for some minutes only: an outage would leave an entry for each call. */
    @Test
    void nothing_is_remembered_of_a_holder_whose_release_was_not_answered() {
        holders.requesting(CLAIM, signal -> {});
        connection.answers.add(
                CompletableFuture.failedStage(RedisFailures.silent("s", new SocketTimeoutException("silence"))));

        assertThatThrownBy(() -> releases.release(CLAIM).toCompletableFuture().join())
                .hasMessageContaining("silence");

        assertThat(holders.find(CLAIM.holder().value())).isNull();
        assertThat(holders.mayStillArrive(CLAIM.holder()))
                .as("its next release leaves a tombstone")
                .isTrue();
    }

    private static final class StandingClock implements Timing {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
