package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.LocalClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.rules.support.ClientJvmGroup;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** ME and FE: the purpose of a token. A store that checks tokens is safe in cases in which a lock alone is not. */
public interface FencedStoreRules extends RuleGroup {

    /**
     * A process is stopped while it holds two locks, one for a store that accepts every write and one for a store that
     * checks tokens. Other clients take both locks and write; then the process continues. No lock can prevent the lost
     * update of the first store; the token prevents that of the second.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN);
                ScratchFolder folder = ScratchFolder.create();
                ClientJvmGroup group = ClientJvmGroup.of(this, 1);
                LocalClient other = LocalClient.open("other", subject())) {
            String unfenced = run.lock() + "-unfenced";
            String fenced = run.lock() + "-fenced";
            Path open = folder.path().resolve("unfenced");
            Path guarded = folder.path().resolve("fenced");
            ClientJvm stopped = group.only();
            Duration hold = subject().silence().plus(Timings.units(30));

            CompletableFuture<Outcome> first =
                    stopped.looping(once(unfenced).holding(hold).counting(open));
            CompletableFuture<Outcome> second =
                    stopped.looping(once(fenced).holding(hold).countingFenced(guarded));
            awaitBothRead(stopped);
            stopped.pause();
            await(other.looping(once(unfenced).counting(open)));
            await(other.looping(once(fenced).countingFenced(guarded)));
            stopped.resume();

            await(first);
            assertThat(await(second).fencedOff())
                    .as("stale writes refused by the fenced store")
                    .isEqualTo(1);
            History history = History.merge(List.of(stopped.history(), other.history()));
            assertThat(history.check(Checks.noLostUpdate()))
                    .as("the store without tokens, whose holder was stopped beyond its lease")
                    .isInstanceOfSatisfying(
                            Verdict.Broken.class,
                            broken -> assertThat(broken.lock()).isEqualTo(unfenced));
            try (CounterFile counter = CounterFile.open(guarded)) {
                assertThat(counter.read()).as("what the fenced store kept").isEqualTo(1);
            }
        }
    }

    private static LockLoop once(String lock) {
        return LockLoop.on(lock, Timings.longWait()).rounds(1).waiting(Timings.longWait());
    }

    private static void awaitBothRead(ClientJvm client) {
        Awaitility.await("both locks are held and both stores read")
                .pollInterval(Duration.ofMillis(5))
                .atMost(Timings.longWait())
                .until(() -> client.history().events().stream()
                                .filter(event -> event.kind() == Event.Kind.READ)
                                .count()
                        == 2);
    }

    private static Outcome await(CompletableFuture<Outcome> loop) throws Exception {
        return loop.get(Timings.longWait().multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * The next holder has only read when the former one's write arrives.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fe6_stale_write_to_a_fenced_store_is_refused_once_the_next_holder_has_read() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN, Claimed.FIXED_LEASE);
                ScratchFolder folder = ScratchFolder.create();
                CounterFile store = CounterFile.open(folder.path().resolve("store"))) {
            LockUser second = run.user();
            long former = run.take(run.user(), Timings.units(2)).token().orElseThrow();
            assertThat(store.write(former, 1)).as("a write of the holder").isTrue();
            Hold next = second.tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease of 2 units never ended"));
            long current = next.token().orElseThrow();

            assertThat(store.read(current)).as("a read of the next holder").hasValue(1);
            assertThat(store.write(former, 2))
                    .as("a write with token " + former + " after a read with token " + current)
                    .isFalse();
            assertThat(store.read(former)).as("a read with the former token").isEmpty();
            assertThat(store.write(current, 3)).as("a write of the next holder").isTrue();
            assertThat(store.read()).as("what the store has").isEqualTo(3);
            next.release();
        }
    }
}
