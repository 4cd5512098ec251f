package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.Acquisition;
import io.hasp.engine.HandTiming;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A server that has taken over knows a lease and not its extension: it is asked for all that is left of it. */
class ExtensionLostByFailoverTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms FIXED = LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty());
    private static final LockName NAME = new LockName("n");

    private final HandTiming timing = new HandTiming();
    private final Master server = new Master();

    private LockEngine engine(String client) {
        EngineSettings settings = new EngineSettings(LEASE.toNanos(), 10 * SECOND, 255, 10 * SECOND, true, false);
        EngineThreads threads = new EngineThreads(client, Optional.of(timing), Optional.of(Runnable::run));
        return new LockEngine(server, threads, client, settings, notice -> {}, () -> {});
    }

    @Test
    void no_other_client_gets_a_lock_whose_extension_a_failover_has_lost() {
        LockEngine engine = engine("c");
        Acquisition acquisition = engine.acquire(NAME, FIXED, 10 * SECOND, engine.pool());
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        long replicated = server.until;
        Duration hour = Duration.ofHours(1);
        assertThat(control.beginExtension(hour).toCompletableFuture().join()).isInstanceOf(Renewal.Renewed.class);

        // The replica had the grant, and not the extension. The client is told, as by Redis' HolderState.otherServer.
        server.until = replicated;
        SignalListener listener = Objects.requireNonNull(server.listener);
        listener.onSignal(Signal.SUSPECT);
        listener.onSignal(Signal.RESTORED);
        letTimePass(60 * SECOND);

        assertThat(server.renewals).as("requests for more time").hasSize(2);
        assertThat(server.renewals.get(1)).isGreaterThan(Duration.ofMinutes(59));
        LockEngine other = engine("d");
        Acquisition second = other.acquire(NAME, FIXED, 0, other.pool());
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(second.result().join()).isNotInstanceOf(Outcome.Acquired.class);
    }

    private void letTimePass(long until) {
        for (long moment = timing.nanoTime(); moment <= until; moment += SECOND / 2) {
            timing.set(moment);
            timing.fire();
        }
    }

    /** Renews as Redis does: never shortens, and says what was asked for. */
    private final class Master implements LockBackend {
        final List<Duration> renewals = new ArrayList<>();

        @Nullable
        SignalListener listener;

        @Nullable
        HolderId holder;

        long until;
        long token;

        private boolean has(Claim claim) {
            return claim.holder().equals(holder) && timing.nanoTime() < until;
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            if (holder != null && timing.nanoTime() < until) {
                return CompletableFuture.completedFuture(new Attempt.Busy(Duration.ofSeconds(1)));
            }
            listener = signals;
            holder = claim.holder();
            until = timing.nanoTime() + claim.lease().toNanos();
            return CompletableFuture.completedFuture(new Attempt.Granted(Grant.of(claim, ++token, claim.lease())));
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            List<Renewal> answers = new ArrayList<>();
            for (Grant grant : held) {
                Duration lease = grant.claim().lease();
                renewals.add(lease);
                if (has(grant.claim())) {
                    until = Math.max(until, timing.nanoTime() + lease.toNanos());
                    answers.add(new Renewal.Renewed(lease));
                } else {
                    answers.add(new Renewal.Lost("nobody has it"));
                }
            }
            return CompletableFuture.completedFuture(answers);
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            boolean had = has(claim);
            holder = had ? null : holder;
            return CompletableFuture.completedFuture(had ? Released.RELEASED : Released.NOT_HELD);
        }

        @Override
        public void close() {}
    }
}
