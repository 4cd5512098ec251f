package io.hasp.locked.spi;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLock;
import io.hasp.locked.Locked;
import io.hasp.locked.Locked.Mode;
import java.util.List;

/**
 * Identifies the kind of lock that a {@link Locked} method takes.
 *
 * @param permits the total of a semaphore; zero for other locks
 */
record LockKind(Mode mode, int permits) {

    /** Throws an {@link IllegalArgumentException} if the annotation contradicts itself. */
    static LockKind of(Locked locked, LockOptions options) {
        LockKind kind = new LockKind(locked.mode(), locked.permits());
        if (kind.permits < 0) {
            throw new IllegalArgumentException("permits=" + kind.permits + ": it must be positive");
        }
        if (kind.permits > 0 && kind.mode != Mode.EXCLUSIVE) {
            throw new IllegalArgumentException(
                    "permits=" + kind.permits + " and mode=" + kind.mode + ": a lock has one of them");
        }
        if (kind.isShared() && options.takenAtLeast().isPresent()) {
            throw new IllegalArgumentException("takenAtLeast with " + kind.words() + ": that is for exclusive locks");
        }
        return kind;
    }

    boolean isShared() {
        return permits > 0 || mode != Mode.EXCLUSIVE;
    }

    String words() {
        return permits > 0 ? "permits=" + permits : "mode=" + mode;
    }

    DistributedLock lock(LockClient client, String name, LockOptions options) {
        if (permits > 0) {
            return client.semaphore(name, permits, options).permits(1);
        }
        return switch (mode) {
            case EXCLUSIVE -> client.lock(name, options);
            case READ -> client.readWriteLock(name, options).read();
            case WRITE -> client.readWriteLock(name, options).write();
        };
    }

    MultiLock all(LockClient client, List<String> names, LockOptions options) {
        return client.allOf(
                names.stream().map(name -> lock(client, name, options)).toList());
    }

    /** Returns true if the server has one lock for both kinds, so that a lease of one kind serves a call of the other. */
    boolean isOneWith(LockKind other) {
        return permits == other.permits && (mode == Mode.EXCLUSIVE) == (other.mode == Mode.EXCLUSIVE);
    }

    boolean covers(LockKind inner) {
        return mode == inner.mode || mode == Mode.WRITE;
    }
}
