package io.hasp.guice;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The leases under which {@link Locked} methods run, for each thread the innermost first. */
final class HeldLeases {
    private record Held(LockClient client, Lease lease) {}

    private final ThreadLocal<Deque<Held>> ofThread = ThreadLocal.withInitial(ArrayDeque::new);

    /** The lease of this lock under which the calling thread runs already. */
    Optional<Lease> of(LockClient client, String name) {
        return ofThread.get().stream()
                .filter(held -> held.client == client && held.lease.name().equals(name))
                .map(Held::lease)
                .findFirst();
    }

    Lease innermost() {
        Held held = ofThread.get().peek();
        if (held == null) {
            throw new IllegalStateException("thread '" + Thread.currentThread().getName()
                    + "' runs no @Locked method: inject Provider<Lease>, and call it inside of one");
        }
        return held.lease;
    }

    void begin(LockClient client, Lease lease) {
        ofThread.get().push(new Held(client, lease));
    }

    void end() {
        Deque<Held> held = ofThread.get();
        held.pop();
        if (held.isEmpty()) {
            ofThread.remove();
        }
    }
}
