package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a connection and the calls that come at the same time. */
@Timeout(30)
class OnDemandBackendTest {
    private static final LockName NAME = new LockName("n");
    private static final long WAIT = Duration.ofSeconds(10).toNanos();

    private final HandTiming timing = new HandTiming();
    private final List<OneLockBackend> opened = new ArrayList<>();

    private OnDemandBackend connected() {
        BackendContext context = new BackendContext("c", timing, Runnable::run);
        BackendSource source = lent -> {
            opened.add(new OneLockBackend(true));
            return opened.get(opened.size() - 1);
        };
        LockBackend first = new OneLockBackend(true);
        return OnDemandBackend.now(
                source, new BackendDeclaration(first.capabilities(), false, Duration.ofSeconds(1)), context);
    }

    private LockEngine engine(LockBackend backend) {
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, true);
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        return new LockEngine(backend, threads, "c", settings, notice -> {}, () -> {});
    }

    @Test
    void a_call_that_comes_while_it_is_decided_waits_and_uses_the_connection_that_stays() throws Exception {
        OnDemandBackend backend = connected();
        List<Thread> callers = new ArrayList<>();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        boolean ended = backend.disconnect(() -> {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            Thread caller = new Thread(() -> backend.renew(List.of()).thenAccept(answer::complete));
            caller.start();
            awaitBlocked(caller);
            assertThat(answer).isNotDone();
            callers.add(caller);
            answers.add(answer);
            return false;
        });
        assertThat(ended).isFalse();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(answers).hasSize(1).allMatch(CompletableFuture::isDone);
        assertThat(opened).as("connections").hasSize(1);
    }

    private static void awaitBlocked(Thread caller) {
        while (caller.getState() != Thread.State.BLOCKED && caller.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void only_what_nothing_needs_is_ended_and_the_next_call_connects_again() {
        LockEngine engine = engine(connected());
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.of(OneLockBackend.LEASE), Optional.empty());
        for (int connections = 1; connections <= 2; connections++) {
            Acquisition acquisition = engine.acquire(NAME, terms, WAIT, engine.pool());
            LeaseControl lease =
                    acquisition.lease((Outcome.Acquired) acquisition.result().join());
            assertThat(engine.disconnect()).as("with a lease").isFalse();
            lease.giveBack(new ReleaseCall(engine.pool()));
            assertThat(engine.disconnect()).isTrue();
            assertThat(opened).hasSize(connections);
        }
    }
}
