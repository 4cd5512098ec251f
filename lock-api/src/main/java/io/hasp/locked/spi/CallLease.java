package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.MultiLease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The lease of a call of a locked method: of one lock, or of several. */
sealed interface CallLease {

    /** Works under the lease. */
    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T run() throws X;
    }

    List<String> names();

    /** Returns the lease of one of the locks. */
    Lease lease(String name);

    void ensureHeld();

    <T, X extends Exception> T call(Work<T, X> work) throws X;

    <T> CompletableFuture<T> callAsync(Supplier<CompletionStage<T>> work);

    void close();

    CompletableFuture<Void> closeAsync();

    /** The lease of one lock. */
    record One(Lease lease) implements CallLease {
        @Override
        public List<String> names() {
            return List.of(lease.name());
        }

        @Override
        public Lease lease(String name) {
            return lease;
        }

        @Override
        public void ensureHeld() {
            lease.ensureHeld();
        }

        @Override
        public <T, X extends Exception> T call(Work<T, X> work) throws X {
            return lease.call(held -> work.run());
        }

        @Override
        public <T> CompletableFuture<T> callAsync(Supplier<CompletionStage<T>> work) {
            return lease.callAsync(held -> work.get());
        }

        @Override
        public void close() {
            lease.close();
        }

        @Override
        public CompletableFuture<Void> closeAsync() {
            return lease.closeAsync();
        }
    }

    /** The lease of several locks. */
    record Several(MultiLease lease) implements CallLease {
        @Override
        public List<String> names() {
            return lease.names();
        }

        @Override
        public Lease lease(String name) {
            return lease.lease(name);
        }

        @Override
        public void ensureHeld() {
            lease.ensureHeld();
        }

        @Override
        public <T, X extends Exception> T call(Work<T, X> work) throws X {
            return lease.call(held -> work.run());
        }

        @Override
        public <T> CompletableFuture<T> callAsync(Supplier<CompletionStage<T>> work) {
            return lease.callAsync(held -> work.get());
        }

        @Override
        public void close() {
            lease.close();
        }

        @Override
        public CompletableFuture<Void> closeAsync() {
            return lease.closeAsync();
        }
    }
}
