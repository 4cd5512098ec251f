package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.locked.Locked;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tracks the leases under which {@link Locked} methods of one container run, for each thread, the innermost first. Thread-safe. */
public final class HeldLeases {
    private static final CompletableFuture<?> NO_WORK = CompletableFuture.completedFuture(null);

    private final ThreadLocal<Deque<Held>> ofThread = ThreadLocal.withInitial(ArrayDeque::new);

    private final LeaseCheck check;

    /** Creates an empty instance, whose leases are checked by the client's own state. */
    public HeldLeases() {
        this(LeaseCheck.LOCAL);
    }

    /**
     * Creates an empty instance.
     *
     * @param check checks each lease before the operation around its call ends
     */
    public HeldLeases(LeaseCheck check) {
        this.check = check;
    }

    /**
     * Returns the lease under which the calling thread runs.
     *
     * @return that of the innermost {@link Locked} method
     * @throws IllegalStateException if the thread runs no such method, or if that method has several locks
     */
    public Lease innermost() {
        Held held = innermostHeld("Provider<Lease>");
        if (held.names.size() > 1) {
            throw new IllegalStateException("the innermost @Locked method of thread '"
                    + Thread.currentThread().getName() + "' has the locks " + held.names
                    + ": inject Provider<MultiLease>, which has a token for each");
        }
        return held.lease.lease(held.names.get(0));
    }

    /**
     * Returns the lease of several locks under which the calling thread runs.
     *
     * @return that of the innermost {@link Locked} method. If the method runs under a lease of a call further up, it may have more locks
     *     than the method has
     * @throws IllegalStateException if the thread runs no such method, or if that method has one lock
     */
    public MultiLease innermostOfSeveral() {
        Held held = innermostHeld("Provider<MultiLease>");
        if (held.names.size() > 1 && held.lease instanceof CallLease.Several several) {
            return several.lease();
        }
        throw new IllegalStateException("the innermost @Locked method of thread '"
                + Thread.currentThread().getName() + "' has one lock: inject Provider<Lease>");
    }

    private Held innermostHeld(String provider) {
        for (Held held : ofThread.get()) {
            if (held.running) {
                return held;
            }
        }
        throw new IllegalStateException("thread '" + Thread.currentThread().getName()
                + "' runs no @Locked method: inject " + provider + ", and call it inside of one");
    }

    /**
     * Throws unless all locks under which the calling thread runs are held. No effect if the thread runs no {@link Locked} method.
     *
     * @throws io.hasp.LeaseLostException if one was lost or released
     */
    public void ensureHeld() {
        for (Held held : ofThread.get()) {
            if (held.running) {
                ensureHeld(held);
            }
        }
    }

    /** Throws unless all locks of one call are held. */
    void ensureHeld(Held held) {
        held.lease.ensureHeld();
        held.names.forEach(name -> check.ensureHeld(held.client, held.lease.lease(name)));
    }

    /**
     * Finds the locks under which the calling thread runs already, or that are held until the operation around its calls has ended.
     *
     * @throws UnsupportedCapabilityException if one lease further up has some of them and not all
     */
    Optional<Held> of(LockClient client, List<String> names, LockKind kind) {
        Optional<Held> partly = Optional.empty();
        for (Held held : ofThread.get()) {
            if (!held.over && held.client == client && held.kind.isOneWith(kind)) {
                if (held.lease.names().containsAll(names)) {
                    return Optional.of(held);
                }
                partly = partly.isEmpty() && !Collections.disjoint(held.lease.names(), names)
                        ? Optional.of(held)
                        : partly;
            }
        }
        partly.ifPresent(held -> {
            String name = names.stream()
                    .filter(held.lease.names()::contains)
                    .findFirst()
                    .orElseThrow();
            throw UnsupportedCapabilityException.partlyHeld(name, names);
        });
        return partly;
    }

    /**
     * Begins a method.
     *
     * @param names the locks of the method, which are all or some of those of the lease
     * @param outer the call further up that holds the lock; null if this call holds it
     */
    Held begin(LockClient client, CallLease lease, List<String> names, LockKind kind, @Nullable Held outer) {
        Held held = new Held(client, lease, names, kind, outer);
        Deque<Held> all = ofThread.get();
        all.removeIf(before -> before.over);
        all.push(held);
        return held;
    }

    /** Ends a method that has returned without an operation around it. */
    void end(Held held) {
        Deque<Held> all = ofThread.get();
        all.remove(held);
        if (all.isEmpty()) {
            ofThread.remove();
        }
    }

    /** A lease under which a method runs, or ran. */
    static final class Held {
        final LockClient client;
        final CallLease lease;
        final List<String> names;
        final LockKind kind;
        private final Held holder;
        private boolean running = true;
        private volatile boolean over;
        private CompletableFuture<?> work = NO_WORK;

        private Held(LockClient client, CallLease lease, List<String> names, LockKind kind, @Nullable Held outer) {
            this.client = client;
            this.lease = lease;
            this.names = names;
            this.kind = kind;
            this.holder = outer == null ? this : outer.holder;
        }

        /** Notes that the method has returned, but the calling thread goes on with the operation around it. */
        void enclosed() {
            running = false;
        }

        /** Ends re-entry; may be called by another thread. */
        void over() {
            over = true;
        }

        /** Holds the lock until this stage has completed, too. */
        void goesOn(CompletionStage<?> end) {
            // A stage need not support toCompletableFuture.
            CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
            end.whenComplete((any, failure) -> ended.complete(null));
            holder.add(ended);
        }

        private synchronized void add(CompletableFuture<?> more) {
            work = work == NO_WORK ? more : CompletableFuture.allOf(work, more);
        }

        /** Completes when all asynchronous work has ended; never fails. */
        synchronized CompletableFuture<?> work() {
            return work;
        }
    }
}
