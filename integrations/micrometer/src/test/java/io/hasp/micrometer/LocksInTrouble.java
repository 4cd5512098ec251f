package io.hasp.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.memory.MemoryLink;
import io.hasp.memory.MemoryServer;
import io.hasp.memory.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Two clients of an in-memory server on virtual time, and everything of which there are metrics. */
final class LocksInTrouble {
    final VirtualTime time = new VirtualTime();
    final MemoryServer server = new MemoryServer(time);
    final MemoryLink link = server.link();
    final LockClient client;
    final LockClient other;

    LocksInTrouble(LockListener listener) {
        ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
        client = LockClient.over(link, options.addListener(listener));
        other = LockClient.over(server.link(), options);
    }

    /**
     * Acquired 6, contended 1, unavailable 1, handed off 1; 3 released, after 100 ms at most; 2 lost, one of them found by its release;
     * suspect twice, and renewed late in between. Then one lease is active, and one caller waits.
     */
    void happen() {
        Lease first = client.lock("orders/1").tryAcquire().orElseThrow();
        CompletableFuture<?> vain = client.lock("orders/1").tryAcquireAsync(Duration.ofMillis(100));
        CompletableFuture<Lease> next = client.lock("orders/1").acquireAsync();
        time.advance(Duration.ofMillis(100));
        assertThat(vain).isDone();
        first.release();
        CompletableFuture<Lease> handedOff = client.lock("orders/1").acquireAsync();
        next.join().release();
        handedOff.join().release();

        Lease deleted = client.lock("users/1").tryAcquire().orElseThrow();
        server.expire("users/1");
        deleted.release();

        assertThat(client.lock("users/2").tryAcquire()).isPresent();
        time.advance(Duration.ofSeconds(9));
        link.partition();
        time.advance(Duration.ofSeconds(15));
        link.heal();
        time.advance(Duration.ofSeconds(9));
        link.partition();
        CompletableFuture<?> unanswered = client.lock("users/3").tryAcquireAsync(Duration.ZERO);
        time.advance(Duration.ofMinutes(1));
        assertThat(unanswered).isCompletedExceptionally();
        link.heal();
        time.advance(Duration.ofSeconds(10));

        assertThat(client.lock("orders/2").tryAcquire()).isPresent();
        assertThat(other.lock("orders/3").tryAcquire()).isPresent();
        assertThat(client.lock("orders/3").acquireAsync()).isNotDone();
    }
}
