package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.spi.Transfer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One link's backend, whose calls a test can answer itself and inspect, and which sends signals for it. */
final class ScriptedBackend implements BackendSource, LockBackend {
    /** The behaviour of a call, which may include the real one. */
    interface Script<A, T> extends BiFunction<A, Supplier<CompletionStage<T>>, CompletionStage<T>> {}

    private final BackendSource source;
    private @Nullable LockBackend real;
    private @Nullable BackendContext context;

    UnaryOperator<Claim> asked = UnaryOperator.identity();
    Script<Claim, Attempt> onAcquire = (claim, call) -> call.get();
    Script<List<Grant>, List<Renewal>> onRenew = (held, call) -> call.get();
    Script<Claim, Released> onRelease = (claim, call) -> call.get();
    Runnable onClose = () -> {};
    final Map<HolderId, SignalListener> listeners = new LinkedHashMap<>();
    final List<HolderId> renewed = new ArrayList<>();
    final List<HolderId> released = new ArrayList<>();
    final List<HolderId> transferredTo = new ArrayList<>();

    @Nullable
    Capabilities capabilities;

    boolean closed;

    ScriptedBackend(BackendSource source) {
        this.source = source;
    }

    @Override
    public LockBackend open(BackendContext context) {
        this.context = context;
        real = source.open(context);
        return this;
    }

    private LockBackend real() {
        return Objects.requireNonNull(real);
    }

    Timing timing() {
        return Objects.requireNonNull(context).timing();
    }

    /** Sends a signal to the holder whose request had number {@code index}, from zero on. */
    void signal(int index, Signal signal) {
        List.copyOf(listeners.values()).get(index).onSignal(signal);
    }

    @Override
    public Capabilities capabilities() {
        return capabilities != null ? capabilities : real().capabilities();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        listeners.put(claim.holder(), signals);
        return onAcquire.apply(claim, () -> real().acquire(asked.apply(claim), signals));
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        transferredTo.add(to.holder());
        return LockBackend.super.transfer(from, to, signals);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        held.forEach(grant -> renewed.add(grant.claim().holder()));
        return onRenew.apply(held, () -> real().renew(held));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        released.add(claim.holder());
        return onRelease.apply(claim, () -> real().release(claim));
    }

    @Override
    public void close() {
        closed = true;
        real().close();
        onClose.run();
    }
}
