package io.hasp.engine;

import io.hasp.engine.Outages.Call;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Tells the log which calls of a backend are answered and which are not, before anybody acts on the answer; changes nothing.
 */
record WatchedBackend(LockBackend backend, Outages outages) implements LockBackend {

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return watched(Call.ACQUIRE, backend.acquire(claim, signals));
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        Transfer answers = backend.transfer(from, to, signals);
        return new Transfer(watched(Call.RELEASE, answers.released()), watched(Call.ACQUIRE, answers.attempt()));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return backend.renew(held)
                .whenComplete(
                        (renewals, thrown) -> outages.ended(Call.RENEW, thrown != null ? thrown : doubt(renewals)));
    }

    private static @Nullable BackendFailure doubt(List<Renewal> renewals) {
        return renewals.stream()
                .filter(Renewal.Unknown.class::isInstance)
                .map(unknown -> ((Renewal.Unknown) unknown).why())
                .findFirst()
                .orElse(null);
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return watched(Call.RELEASE, backend.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return watched(Call.RELEASE, backend.retain(claim));
    }

    /** Without another stage where the answer is there, as it is after a call that blocks. */
    private <T> CompletionStage<T> watched(Call call, CompletionStage<T> answer) {
        if (ContractGuard.present(answer) != null) {
            outages.ended(call, null);
            return answer;
        }
        return answer.whenComplete((any, thrown) -> outages.ended(call, thrown));
    }

    @Override
    public void close() {
        backend.close();
    }
}
