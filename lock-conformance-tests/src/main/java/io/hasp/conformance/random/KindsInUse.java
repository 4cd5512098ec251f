package io.hasp.conformance.random;

import io.hasp.conformance.LockMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The kinds in which each lock name may be in use. A request for another kind may be refused for that reason.
 * Thread-safe.
 */
final class KindsInUse {
    private final List<Use> uses = new ArrayList<>();

    /** One acquisition, from its call until nothing of it is left on the server. */
    final class Use {
        private final int lock;
        private final int capacity;
        private boolean over;
        private long overAt;

        private Use(int lock, int capacity) {
            this.lock = lock;
            this.capacity = capacity;
        }

        /** Nothing of it is left after that moment; an earlier word on it no longer counts. */
        void over(long at) {
            synchronized (uses) {
                over = true;
                overAt = at;
            }
        }

        /** Returns true if the name may have been in use as another kind at some moment since then. */
        boolean metAnotherKind(long since) {
            synchronized (uses) {
                return uses.stream()
                        .anyMatch(use ->
                                use.lock == lock && use.capacity != capacity && (!use.over || use.overAt - since > 0));
            }
        }
    }

    Use begin(int lock, LockMode mode) {
        Use use = new Use(lock, mode.capacity());
        synchronized (uses) {
            uses.add(use);
        }
        return use;
    }
}
