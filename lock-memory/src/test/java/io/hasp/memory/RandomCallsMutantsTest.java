package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.random.ServerView;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random calls catch backends that hang, grant twice, repeat tokens, mix kinds of lock or leave something behind, and say how to repeat it. */
@Timeout(300)
@InTier(Tier.STANDARD)
class RandomCallsMutantsTest {
    /** Most are caught with the first one; a slow machine runs calls one after the other and needs more. */
    private static final int SEEDS = 100;

    private final MemoryServer server = new MemoryServer(new RealClock());

    @Test
    void a_lock_that_nobody_gets_any_more_is_caught() {
        caught(Hoarder::new, "no thread has got any further for", "waits for", "the server has at 'random-");
    }

    @Test
    void a_lock_that_two_hold_is_caught() {
        caught(Generous::new, "held it at once", "t0:", "tryAcquire");
    }

    @Test
    void a_token_that_comes_again_is_caught() {
        caught(Forgetful::new, "token", "came after token");
    }

    @Test
    void what_stays_on_the_server_is_caught() {
        caught(
                UnaryOperator.identity(),
                lock -> List.of("a node of nobody's"),
                "ms when all threads were done the server still has at",
                "a node of nobody's");
    }

    @Test
    void a_writer_that_holds_beside_readers_is_caught() {
        caughtSharing(SharedFlaw.WRITERS_BESIDE_READERS, "held it at once", "reading", "writing");
    }

    @Test
    void a_part_that_is_given_up_with_the_rest_is_caught() {
        caughtSharing(SharedFlaw.LOWERING_RELEASES, "finds the lock lost, on a healthy server", "then ");
    }

    @Test
    void tokens_of_readers_and_writers_that_have_no_order_are_caught() {
        caughtSharing(SharedFlaw.TOKENS_PER_WEIGHT, "came after token");
    }

    @Test
    void a_name_that_is_two_kinds_at_once_is_caught() {
        caughtSharing(SharedFlaw.KINDS_MIXED, "held it at once");
    }

    @Test
    void a_name_that_keeps_its_kind_when_all_have_left_is_caught() {
        Map<LockName, Integer> kinds = new ConcurrentHashMap<>();
        HaspSubject subject = subject(real -> new Stubborn(real, kinds)).sharing();
        caught(new RandomCalls(subject, RandomCallsTest.view(server)).bound(Timings.units(20)), "nobody uses");
    }

    private static void caughtSharing(SharedFlaw flaw, String... words) {
        BrokenSharedServer server = new BrokenSharedServer(flaw);
        HaspSubject subject = new HaspSubject(
                        flaw.name(), options -> LockClient.over(new BrokenSharedLink(server), options), Claimed.FIFO)
                .sharing();
        caught(
                new RandomCalls(subject, lock -> Collections.nCopies(server.present(lock), "a holder or waiter"))
                        .bound(Timings.units(20)),
                words);
    }

    private void caught(UnaryOperator<LockBackend> mutant, String... words) {
        caught(mutant, RandomCallsTest.view(server), words);
    }

    private void caught(UnaryOperator<LockBackend> mutant, ServerView view, String... words) {
        caught(new RandomCalls(subject(mutant), view).bound(Timings.units(20)), words);
    }

    private HaspSubject subject(UnaryOperator<LockBackend> mutant) {
        return new HaspSubject(
                "mutant",
                options -> LockClient.over(context -> mutant.apply(server.link().open(context)), options));
    }

    /** A broken server may also stand still in one run or another; in these words it is caught in one of them. */
    private static void caught(RandomCalls calls, String... words) {
        List<String> found = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS && found.stream().noneMatch(each -> containsAll(each, words)); seed++) {
            long next = seed;
            Throwable thrown = catchThrowable(() -> calls.run(next));
            if (thrown != null) {
                assertThat(thrown)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("Repeat it with -Dhasp.seed=");
                found.add(thrown.getMessage());
            }
        }
        assertThat(found).anyMatch(each -> containsAll(each, words));
    }

    private static boolean containsAll(String text, String... words) {
        return Arrays.stream(words).allMatch(text::contains);
    }

    /** The correct backend. */
    private static class Whole implements LockBackend {
        private final LockBackend real;

        Whole(LockBackend real) {
            this.real = real;
        }

        @Override
        public Capabilities capabilities() {
            return real.capabilities();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return real.acquire(claim, signals);
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            return real.renew(held);
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return real.release(claim);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** Says that it released, and keeps the lock. */
    private static final class Hoarder extends Whole {
        Hoarder(LockBackend real) {
            super(real);
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return CompletableFuture.completedStage(Released.RELEASED);
        }
    }

    /** Grants what others hold. */
    private static final class Generous extends Whole {
        private static final AtomicLong TOKENS = new AtomicLong(1L << 40);

        Generous(LockBackend real) {
            super(real);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return super.acquire(claim, signals)
                    .thenApply(
                            attempt -> new Attempt.Granted(Grant.of(claim, TOKENS.incrementAndGet(), claim.lease())));
        }
    }

    /** Counts down. */
    private static final class Forgetful extends Whole {
        Forgetful(LockBackend real) {
            super(real);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return super.acquire(claim, signals)
                    .thenApply(attempt -> attempt instanceof Attempt.Granted granted
                            ? new Attempt.Granted(granted.grant()
                                    .withToken((1L << 40) - granted.grant().token()))
                            : attempt);
        }
    }

    /** A name stays what it was first. */
    private static final class Stubborn extends Whole {
        private final Map<LockName, Integer> kinds;

        Stubborn(LockBackend real, Map<LockName, Integer> kinds) {
            super(real);
            this.kinds = kinds;
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            int capacity = claim.share().capacity();
            if (kinds.computeIfAbsent(claim.name(), name -> capacity) == capacity) {
                return super.acquire(claim, signals);
            }
            return CompletableFuture.failedStage(new BackendFailure(
                    BackendFailure.Kind.OTHER_KIND, BackendFailure.Outcome.NOT_APPLIED, "of another kind", null));
        }
    }
}
