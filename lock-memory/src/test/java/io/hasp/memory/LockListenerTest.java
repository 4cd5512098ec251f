package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every event of a lock's life, once and in order, with its figures. */
class LockListenerTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<String> told = new ArrayList<>();
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, options.listener(new Recorder()));

    private final class Recorder implements LockListener {
        @Override
        public void acquired(String lock, Duration waited, long fencingToken) {
            told.add("acquired " + lock + " after " + waited + " as " + fencingToken);
        }

        @Override
        public void contended(String lock, Duration waited) {
            told.add("contended " + lock + " after " + waited);
        }

        @Override
        public void handedOver(String lock, long fencingToken) {
            told.add("handed over " + lock + " as " + fencingToken);
        }

        @Override
        public void renewed(String lock, Duration remaining) {
            told.add("renewed " + lock + " for " + remaining);
        }

        @Override
        public void suspect(String lock) {
            told.add("suspect " + lock);
        }

        @Override
        public void lost(String lock, String why) {
            told.add("lost " + lock + ": " + why);
        }

        @Override
        public void released(String lock, Duration held) {
            told.add("released " + lock + " after " + held);
        }

        @Override
        public void outcomeUnknown(String lock) {
            told.add("unknown " + lock);
        }
    }

    @Test
    void a_lock_that_is_waited_for_renewed_and_released() {
        LockClient other = LockClient.over(server.link(), options);
        Lease before = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(3));
        before.release();
        time.advance(Duration.ofSeconds(10));
        lease.join().release();
        long token = lease.join().fencingToken();
        assertThat(told)
                .containsExactly(
                        "acquired a after PT3S as " + token, "renewed a for PT29.698S", "released a after PT10S");
    }

    @Test
    void a_wait_that_others_made_vain_and_a_lock_that_is_handed_over() {
        Lease first = client.lock("a").tryAcquire().orElseThrow();
        long token = first.fencingToken();
        CompletableFuture<Optional<Lease>> vain = client.lock("a").tryAcquireAsync(Duration.ofMillis(5));
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(5));
        first.release();
        assertThat(vain).isDone();
        assertThat(next).isDone();
        assertThat(told)
                .containsExactly(
                        "acquired a after PT0S as " + token,
                        "contended a after PT0.005S",
                        "released a after PT0.005S",
                        "handed over a as " + (token + 1),
                        "acquired a after PT0.005S as " + (token + 1));
    }

    @Test
    void a_lock_that_becomes_suspect_is_lost_once_and_an_attempt_without_an_answer_is_unknown() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        told.clear();
        link.partition();
        time.advance(Duration.ofMinutes(1));
        assertThat(told)
                .containsExactly(
                        "suspect a",
                        "lost a: it was not confirmed before its deadline: the in-memory server did not answer within PT0.1S");
        lease.release();
        told.clear();
        CompletableFuture<Optional<Lease>> unanswered = client.lock("b").tryAcquireAsync(Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        assertThat(unanswered).isCompletedExceptionally();
        assertThat(told).containsExactly("unknown b");
    }
}
