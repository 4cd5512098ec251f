package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A thread at the end of its stack hands something over: either it hears of a failure, or that is done. Never both, never neither. */
@EnabledIfSystemProperty(
        named = "hasp.tier",
        matches = "standard|full",
        disabledReason = "left to the standard tier: mvn verify -Pstandard")
class LittleStackTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
    private static final long STACK = 512 * 1024;
    private static final int DEEPEST = 100_000;
    private static final int ROUNDS = 4;
    /** So many levels from the end of the stack something is handed over: from where all is refused to where all is accepted. */
    private static final int NEAR = 600;

    private static final int MOST = ROUNDS * NEAR + 1;

    private final HandTiming timing = new HandTiming();
    private final OneLockBackend server = new OneLockBackend(true);
    private final EngineThreads threads =
            new EngineThreads("c", Optional.of(new DeepTiming()), Optional.of(this::runLater));

    private final boolean[] accepted = new boolean[MOST];
    private final int[] done = new int[MOST];
    private int begun;
    /** A collection would be in disorder if it broke off. */
    private final Runnable[] handedOver = new Runnable[2 * MOST];

    private int tasks;

    /** Needs as much stack as a real one. */
    private final class DeepTiming implements Timing {
        @Override
        public long nanoTime() {
            return timing.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            StackReserve.require();
            return timing.schedule(delay, task);
        }
    }

    /** The same of an executor. */
    private void runLater(Runnable task) {
        StackReserve.require();
        handedOver[tasks] = task;
        tasks++;
    }

    private void onLittleStack(IntConsumer how) throws InterruptedException {
        // Loads what it needs.
        handOver(how);
        for (int round = 0; round < ROUNDS; round++) {
            int mine = round;
            Thread thread = new Thread(null, () -> goDown(mine, how), "little stack", STACK);
            thread.start();
            thread.join(Duration.ofMinutes(1).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        timing.set(SECOND);
        timing.fire();
        for (int i = 0; i < tasks; i++) {
            handedOver[i].run();
        }
    }

    /** The end of the stack is a few bytes elsewhere in each round. */
    private void goDown(int round, IntConsumer how) {
        if (round > 0) {
            goDown(round - 1, how);
        } else {
            goDown(DEEPEST, 0, how);
        }
    }

    /** To the end of the stack, and hands over at each depth on the way back, near to the end. */
    private int goDown(int deeper, int unused, IntConsumer how) {
        int distance;
        try {
            distance = deeper > 0 ? 1 + goDown(deeper - 1, unused, how) : NEAR;
        } catch (StackOverflowError end) {
            distance = 0;
        }
        if (distance < NEAR) {
            handOver(how);
        }
        return distance;
    }

    private void handOver(IntConsumer how) {
        int mine = begun;
        try {
            how.accept(mine);
            accepted[mine] = true;
        } catch (StackOverflowError end) {
            // Refused.
        }
        begun = mine + 1;
    }

    private void someAreRefused() {
        long all = IntStream.range(0, begun).filter(i -> accepted[i]).count();
        assertThat(all).as("accepted of " + begun).isBetween(100L, begun - 100L);
    }

    /** Those that were refused and done all the same, accepted and not done, or done twice. */
    private List<String> wrong() {
        return IntStream.range(0, begun)
                .filter(i -> done[i] != (accepted[i] ? 1 : 0))
                .mapToObj(i -> i + (accepted[i] ? " accepted, " : " refused, ") + done[i] + " times done")
                .toList();
    }

    /** Needs some stack, and much less than is kept for it. */
    private int work(int i, int deeper) {
        if (deeper > 0) {
            return 1 + work(i, deeper - 1);
        }
        done[i]++;
        return 0;
    }

    @Test
    void a_task_that_was_refused_does_not_run_and_any_other_does() throws InterruptedException {
        onLittleStack(i -> threads.requests.execute(() -> work(i, 30)));
        threads.stop();
        someAreRefused();
        assertThat(wrong()).isEmpty();
    }

    @Test
    void a_renewal_that_was_refused_is_not_sent_and_any_other_is() throws InterruptedException {
        List<HeldLease> leases =
                IntStream.range(0, MOST).mapToObj(LittleStackTest::lease).toList();
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        onLittleStack(i -> timer.renew(leases.get(i)));
        server.renewals().forEach(holder -> done[Integer.parseInt(holder.value())]++);
        someAreRefused();
        assertThat(wrong()).isEmpty();
    }

    /** Where tasks run on the spot, so does the request of a renewal, and the answer. */
    @Test
    void a_lease_whose_renewal_does_not_fit_on_the_stack_is_renewed_by_the_next_tick() throws InterruptedException {
        EngineThreads onTheSpot = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, onTheSpot, notice -> {}), 12, () -> {});
        List<HeldLease> leases =
                IntStream.range(0, MOST).mapToObj(LittleStackTest::lease).toList();
        for (int i = 0; i < MOST; i++) {
            int mine = i;
            leases.get(i).alarm = 100 * SECOND;
            timer.set(leases.get(i), event -> done[mine]++);
        }
        onLittleStack(i -> timer.renew(leases.get(i)));
        someAreRefused();
        assertThat(wrong()).isEmpty();
    }

    private static HeldLease lease(int holder) {
        Claim claim = Contender.claim(new LockName("n"), new HolderId(String.valueOf(holder)), TERMS, 1);
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), SECOND, 0, SECOND, false, false);
        return new HeldLease(
                Grant.of(claim, 1, OneLockBackend.LEASE), TERMS, settings, 0, OneLockBackend.LEASE.toNanos(), 0);
    }
}
