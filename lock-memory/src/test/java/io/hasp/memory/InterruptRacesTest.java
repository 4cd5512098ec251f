package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.conformance.Tier;
import io.hasp.conformance.VirtualThreads;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease is lost while its work ends, again and again: the thread is never interrupted after the call. */
@Timeout(300)
class InterruptRacesTest {
    private static final int RACES = Tier.count(5_000, 20_000, 100_000);
    private static final Duration LEASE = Duration.ofMillis(10);
    private static final int LONGEST_SPIN = 2_000;

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final LockClient client =
            LockClient.over(server.link(), ClientOptions.defaults().timing(time).onLoss(OnLoss.INTERRUPT));
    /** Met before the lease is lost and after that. */
    private final CyclicBarrier both = new CyclicBarrier(2);

    private int interrupted;
    private int lost;

    /** A warning for each loss would say nothing else. */
    private final Logger log = Logger.getLogger("io.hasp");

    @BeforeEach
    void hush() {
        log.setLevel(Level.SEVERE);
    }

    @AfterEach
    void unhush() {
        log.setLevel(null);
    }

    @Test
    void a_platform_thread_is_not_interrupted_after_the_call() throws Exception {
        raceOn(task -> new Thread(task, "worker").start());
    }

    @Test
    void a_virtual_thread_is_not_interrupted_after_the_call() throws Exception {
        raceOn(VirtualThreads::start);
    }

    private void raceOn(Consumer<Runnable> threads) throws Exception {
        CompletableFuture<Void> work = new CompletableFuture<>();
        threads.accept(() -> {
            try {
                for (int i = 0; i < RACES; i++) {
                    workOnce(i);
                }
                work.complete(null);
            } catch (Throwable broken) {
                work.completeExceptionally(broken);
                both.reset();
            }
        });
        SplittableRandom random = new SplittableRandom(2);
        try {
            for (int i = 0; i < RACES; i++) {
                meet();
                spin(random.nextInt(LONGEST_SPIN));
                time.advance(LEASE);
                meet();
            }
        } catch (BrokenBarrierException broken) {
            // The worker says why.
        }
        work.get(20, TimeUnit.SECONDS);
        client.close();
        assertThat(server.size()).isZero();
        assertThat(interrupted).as("races that the loss won").isPositive();
        assertThat(lost).as("losses").isLessThan(RACES);
    }

    /** The work ends about when the lease does. */
    private void workOnce(int race) throws Exception {
        SplittableRandom random = new SplittableRandom(race);
        DistributedLock lock = client.lock("a" + race, LockOptions.defaults().fixedLease(LEASE));
        boolean[] seen = new boolean[1];
        try {
            lock.run(lease -> {
                meet();
                spin(random.nextInt(LONGEST_SPIN));
                seen[0] = Thread.currentThread().isInterrupted();
            });
            assertThat(seen[0]).as("interrupted, but not lost").isFalse();
        } catch (LeaseLostException expected) {
            lost++;
        }
        interrupted += seen[0] ? 1 : 0;
        meet();
        assertThat(Thread.currentThread().isInterrupted())
                .as("after race %s", race)
                .isFalse();
    }

    private void meet() throws Exception {
        both.await(20, TimeUnit.SECONDS);
    }

    private static void spin(int turns) {
        for (int i = 0; i < turns; i++) {
            Thread.onSpinWait();
        }
    }
}
