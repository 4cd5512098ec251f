package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.RequestCombiner;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A backend that a call opens when it needs it, for a client that starts before its server or is {@linkplain #disconnect disconnected}.
 * Before the first time it promises what its source declares. A call waits for the connection for one command timeout at most. A call that
 * fails without a connection was not sent.
 */
public final class OnDemandBackend implements LockBackend {
    private final BackendDeclaration ahead;
    private final Executor executor;
    private final Opening opening;
    /** The promises while nothing is opened. */
    private volatile Capabilities known;

    private OnDemandBackend(
            BackendSource source, BackendDeclaration ahead, BackendContext context, @Nullable LockBackend opened) {
        this.ahead = ahead;
        this.known = ahead.capabilities();
        this.executor = context.executor();
        this.opening = new Opening(source, ahead.commandTimeout(), context, opened);
    }

    /** A backend that the first call opens. */
    public static OnDemandBackend later(BackendSource source, BackendDeclaration ahead, BackendContext context) {
        return new OnDemandBackend(source, ahead, context, null);
    }

    /** A backend that is opened now. */
    public static OnDemandBackend now(BackendSource source, BackendDeclaration ahead, BackendContext context) {
        return new OnDemandBackend(source, ahead, context, source.open(context));
    }

    private <T> CompletionStage<T> then(Function<LockBackend, CompletionStage<T>> call) {
        LockBackend opened = opening.opened();
        return opened != null ? call.apply(opened) : opening.await().thenComposeAsync(call, executor);
    }

    @Override
    public Capabilities capabilities() {
        LockBackend opened = opening.opened();
        return opened != null ? opened.capabilities() : known;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return then(backend -> backend.acquire(claim, signals));
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        LockBackend opened = opening.opened();
        return opened != null ? opened.transfer(from, to, signals) : LockBackend.super.transfer(from, to, signals);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return then(backend -> backend.renew(held));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        // Nothing was sent, and nothing will be.
        return opening.opened() == null && opening.stopped()
                ? CompletableFuture.completedStage(Released.NOT_HELD)
                : then(backend -> backend.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return then(backend -> backend.retain(claim));
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        if (!ahead.tokenFloor()) {
            return Optional.empty();
        }
        return Optional.of((name, floor) ->
                then(backend -> backend.tokenFloor().orElseThrow().raise(name, floor)));
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        LockBackend opened = opening.opened();
        return opened == null ? Optional.empty() : opened.combiner();
    }

    @Override
    public Optional<Inspector> inspector() {
        return capabilities().inspects() ? Optional.of(new InspectorOnDemand()) : Optional.empty();
    }

    private final class InspectorOnDemand implements Inspector {
        private <T> CompletionStage<T> ask(Function<Inspector, CompletionStage<T>> call) {
            return then(backend -> call.apply(backend.inspector().orElseThrow()));
        }

        @Override
        public CompletionStage<Page> list(String prefix, String cursor) {
            return ask(inspector -> inspector.list(prefix, cursor));
        }

        @Override
        public CompletionStage<Optional<Content>> find(LockName name) {
            return ask(inspector -> inspector.find(name));
        }

        @Override
        public CompletionStage<Boolean> remove(LockName name, Holder holder) {
            return ask(inspector -> inspector.remove(name, holder));
        }
    }

    /** Ends an attempt to connect, if there is no connection; later ones are not made. */
    void stopOpening() {
        opening.stop();
    }

    /** Ends the connection unless it is of use; see {@link Opening#disconnect}. */
    boolean disconnect(BooleanSupplier unused) {
        known = capabilities();
        return opening.disconnect(unused);
    }

    @Override
    public void close() {
        opening.close();
    }
}
