package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A release and the next local contender's request in one transfer. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransferTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final List<String> lost = new ArrayList<>();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .handOff(false)
            .addListener(event -> {
                if (event instanceof LockEvent.Lost) {
                    lost.add(event.lock());
                }
            });
    private final LockClient client = LockClient.over(backend, options);

    @Test
    void li5_a_claim_that_waits_on_the_server_is_never_the_target_of_a_transfer() {
        Set<HolderId> waitsOnTheServer = new HashSet<>();
        backend.onAcquire = (claim, call) -> {
            if (!claim.queue()) {
                return call.get();
            }
            waitsOnTheServer.add(claim.holder());
            return CompletableFuture.completedFuture(new Attempt.Busy(Duration.ofSeconds(1)));
        };
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync();
        Lease overtaking = client.lock("a").tryAcquire().orElseThrow();

        overtaking.release();

        assertThat(backend.transferredTo).doesNotContainAnyElementsOf(waitsOnTheServer);
        backend.onAcquire = (claim, call) -> call.get();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isDone();
    }

    @Test
    void le6_a_release_that_finds_the_lock_gone_says_so_although_somebody_waits_locally() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        server.expire("a");

        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);

        assertThat(lost).containsExactly("a");
        assertThat(next).isDone();
    }

    @Test
    void le6_a_call_whose_release_finds_the_lock_gone_does_not_return_its_result() {
        List<CompletableFuture<Lease>> next = new ArrayList<>();
        assertThatThrownBy(() -> client.lock("a").call(lease -> {
                    next.add(client.lock("a").acquireAsync());
                    return server.expire("a");
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("no longer had it");
        assertThat(lost).containsExactly("a");
        assertThat(next.get(0)).isDone();

        assertThatThrownBy(() -> client.lock("b").run(lease -> server.expire("b")))
                .isInstanceOf(LeaseLostException.class);
        assertThat(lost).containsExactly("a", "b");
    }
}
