package io.hasp.examples.moving;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A service of a few instances that moves from one lock backend to another while it works: at each stage of the roll-out two
 * versions are at work, and write to one store.
 */
public final class Move {
    private static final int WRITES = 20;

    private final String before;
    private final String after;
    private final Store store = new Store();

    private Move(String before, String after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Moves.
     *
     * @param args the URIs of the lock service that is left, and of the one to move to
     * @throws Exception if a lock service fails
     */
    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0], args[1]));
    }

    static Store.Report run(String before, String after) throws Exception {
        Move move = new Move(before, after);
        together(List.of(move::oldVersion, move::bothLocks, move::oldVersion));
        together(List.of(move::bothLocks, move::bothLocks));
        together(List.of(move::newVersion, move::bothLocks, move::newVersion));
        return move.store.report();
    }

    private Void oldVersion() throws InterruptedException {
        return alone(before);
    }

    private Void newVersion() throws InterruptedException {
        return alone(after);
    }

    private Void alone(String uri) throws InterruptedException {
        try (LockClient locks = LockClient.connect(uri)) {
            DistributedLock lock = locks.lock("orders");
            for (int i = 0; i < WRITES; i++) {
                lock.call(lease -> store.write(lease.fencingToken()));
            }
        }
        return null;
    }

    private Void bothLocks() throws InterruptedException {
        try (LockClient old = LockClient.connect(before);
                LockClient now = LockClient.connect(after)) {
            BothLocks both = new BothLocks(old.lock("orders"), now.lock("orders"));
            for (int i = 0; i < WRITES; i++) {
                both.call(lease -> store.write(lease.fencingToken()));
            }
        }
        return null;
    }

    private static void together(List<Callable<Void>> instances) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(instances.size());
        try {
            for (Future<Void> instance : threads.invokeAll(instances)) {
                instance.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
