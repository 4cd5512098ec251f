package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Memory runs out, or the client ends, while a holder keeps a part of its share: no lease is left that nobody has. */
class LoweringRecoveryTest {
    private static final Duration LEASE = OneLockBackend.LEASE;
    private static final LeaseTerms WRITE =
            LeaseTerms.of(LEASE, Optional.empty(), Optional.empty()).withShare(Share.WRITE);

    private final OneLockBackend server = new OneLockBackend(true);
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    /** How many rows and tasks there is memory for. */
    private final AtomicInteger memory = new AtomicInteger(Integer.MAX_VALUE);

    private final AtomicInteger shortage = new AtomicInteger();
    private final LockEngine engine = new LockEngine(
            server,
            new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(tasks::add)),
            "c",
            new EngineSettings(LEASE.toNanos(), LEASE.toNanos(), 0, 0, true, false),
            notice -> {},
            () -> {});

    {
        engine.trace(row -> need());
    }

    private void need() {
        if (memory.getAndDecrement() <= 0 && shortage.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
    }

    private LeaseControl writer() {
        Acquisition acquisition = engine.acquire(new LockName("n"), WRITE, 0, engine.pool());
        runTasks();
        return acquisition.lease((Outcome.Acquired) acquisition.result().join());
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void what_its_user_never_got_is_given_back() {
        AtomicInteger tries = new AtomicInteger();
        Function<LeaseControl, String> user = reader -> {
            tries.incrementAndGet();
            throw new OutOfMemoryError("of the test");
        };
        assertThatThrownBy(() -> writer().lower(Share.READ, user)).isInstanceOf(OutOfMemoryError.class);
        runTasks();
        assertThat(tries).hasValue(1);
        assertThat(server.isFree()).isTrue();
        assertThat(engine.settled()).isTrue();
    }

    @Test
    void wherever_memory_runs_out_the_lease_is_had_or_given_back() {
        for (int rows = 0; rows < 8; rows++) {
            for (int failures = 1; failures < 4; failures++) {
                LeaseControl writer = writer();
                memory.set(rows);
                shortage.set(failures);
                Optional<LeaseControl> reader = Optional.empty();
                try {
                    reader = writer.lower(Share.READ, one -> {
                        need();
                        return one;
                    });
                } catch (OutOfMemoryError expected) {
                    // The caller hears of it.
                }
                String when = failures + " failures after row " + rows;
                runTasks();
                assertThat(writer.life().ended()).as(when).isTrue();
                reader.ifPresent(one -> one.giveBack(new ReleaseCall(engine.pool())));
                runTasks();
                assertThat(server.isFree()).as(when).isTrue();
                assertThat(engine.settled()).as(when).isTrue();
                memory.set(Integer.MAX_VALUE);
            }
        }
    }

    /** Its machine has to recover first, and there is no memory for that before the client ends. */
    @Test
    void a_client_that_ends_meanwhile_fails_the_call() {
        LeaseControl writer = writer();
        memory.set(0);
        shortage.set(Integer.MAX_VALUE);
        writer.giveBack(new ReleaseCall(engine.pool()));
        engine.end();
        assertThatThrownBy(() -> writer.lower(Share.READ, reader -> reader))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(EngineClosedException.class);
    }
}
