package io.hasp.simulator.network;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An answer whose stage completes twice, against its contract. */
final class RepeatedAnswer<T> extends CompletableFuture<T> {
    private final RepeatedAnswer<?> first;
    private Runnable again = () -> {};

    RepeatedAnswer() {
        first = this;
    }

    private RepeatedAnswer(RepeatedAnswer<?> first) {
        this.first = first;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new RepeatedAnswer<>(first);
    }

    /** The engine is the last one that registers here. */
    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action) {
        return super.whenComplete((value, thrown) -> {
            first.again = () -> action.accept(value, thrown);
            action.accept(value, thrown);
        });
    }

    void repeat() {
        again.run();
    }
}
