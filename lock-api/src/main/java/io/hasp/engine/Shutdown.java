package io.hasp.engine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Closes a client: fails waiting callers, waits for work in progress and for the server's answers, and ends the connections and threads. A
 * lease that is still in use after the time limit is left to its work: a daemon thread ends the client when no lease is left. An interrupt
 * does not shorten the waits, since it would leave locks taken for the rest of their leases; it is kept. Thread-safe.
 */
public final class Shutdown {
    /** The longest wait for answers. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);
    /** After this time the tasks that a given executor has not begun run elsewhere: it may wait for this very close. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);
    /** After this time the locks that are waited for are logged. */
    private static final long QUIET = TimeUnit.SECONDS.toNanos(1);
    /** The time that interrupted work has to end. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

    private static final int MOST_NAMED = 10;

    private final LockEngine engine;
    private final WorkInProgress work;
    private final long within;
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    /** The threads that wait for work to end. */
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    private final CountDownLatch returned = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicBoolean ending = new AtomicBoolean();

    /**
     * The shutdown of one client.
     *
     * @param within the longest wait for work, in nanoseconds
     */
    public Shutdown(LockEngine engine, WorkInProgress work, long within) {
        this.engine = engine;
        this.work = work;
        this.within = within;
    }

    /**
     * Closes clients at the same time; see {@code LockClient.closeAll()}.
     *
     * @param elapsed part of each client's wait for work that is over already, in nanoseconds
     * @throws CompletionException if a client fails to end; the others are closed all the same
     */
    public static void closeAll(List<Shutdown> clients, long elapsed) {
        Thread caller = Thread.currentThread();
        CompletableFuture<?>[] ends = new CompletableFuture<?>[clients.size()];
        for (int i = ends.length - 1; i >= 0; i--) {
            Shutdown client = clients.get(i);
            Executor thread = i == 0 ? Runnable::run : client::runOnThreadOfItsOwn;
            ends[i] = CompletableFuture.runAsync(() -> client.close(elapsed, caller), thread);
        }
        CompletableFuture.allOf(ends).join();
    }

    private void runOnThreadOfItsOwn(Runnable task) {
        try {
            closingThreads().newThread(task).start();
        } catch (OutOfMemoryError noThread) {
            task.run();
        }
    }

    /** Closes the client once its work has ended; see {@code LockClient.close()}. */
    public void close() {
        close(0, Thread.currentThread());
    }

    private void close(long elapsed, Thread caller) {
        asWaiting(caller, waits -> close(waits, elapsed < within ? within - elapsed : Math.min(within, 1), caller));
    }

    private void asWaiting(Thread caller, Steps task) {
        boolean entered = waiting.add(caller);
        try {
            uninterrupted(task);
        } finally {
            if (entered) {
                waiting.remove(caller);
            }
        }
    }

    private void close(Waits waits, long longest, Thread caller) {
        if (closer.compareAndSet(null, caller)) {
            try {
                finishWork(waits, longest);
            } finally {
                returned.countDown();
            }
        } else if (closer.get() != caller) {
            waits.until(nanos -> returned.await(nanos, TimeUnit.NANOSECONDS), Nanos.FOREVER);
        }
    }

    /** Gives everything back and closes the client; see {@code LockClient.closeNow()}. */
    public void closeNow() {
        uninterrupted(waits -> {
            engine.giveEverythingBack();
            boolean first = closer.compareAndSet(null, Thread.currentThread());
            try {
                if (first || returned.getCount() == 0 || closer.get() == Thread.currentThread()) {
                    awaitAnswers(waits);
                    end();
                } else {
                    waits.until(nanos -> returned.await(nanos, TimeUnit.NANOSECONDS), LONGEST + GRACE);
                }
            } finally {
                returned.countDown();
            }
        });
    }

    /**
     * Ends the connections once nothing needs them; see {@code LockClient.disconnect()}.
     *
     * @return false if the connections stay
     */
    public boolean disconnect() {
        AtomicBoolean disconnected = new AtomicBoolean();
        asWaiting(
                Thread.currentThread(),
                waits -> awaitWork(waits, within, "is to disconnect", () -> {
                    disconnected.set(engine.disconnect());
                    return disconnected.get() || engine.closing() || onlyOwn();
                }));
        if (!disconnected.get() && !engine.closing()) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "the lock client stays connected, because its locks are in use: " + named(engine.leasesInUse()));
        }
        return disconnected.get();
    }

    /** The waiting threads would wait for themselves. */
    private boolean onlyOwn() {
        return awaited().isEmpty() && !engine.leasesInUse().isEmpty();
    }

    private void finishWork(Waits waits, long longest) {
        engine.beginClosing();
        awaitWork(waits, longest);
        long interrupted =
                awaited().stream().filter(used -> work.interrupt(used.lease())).count();
        if (interrupted > 0 && longest > 0) {
            awaitWork(waits, GRACE);
        }
        engine.leave();
        awaitAnswers(waits);
        List<LeaseInUse> left = engine.leasesInUse();
        if (left.isEmpty()) {
            end();
        } else {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "the lock client is closed, and work under its locks goes on: they are not given back before the work, the"
                            + " lease or the session ends: " + named(left));
            endLater();
            // The process may end now.
            LogQueue.flush(EngineThreads.LOGGED_WITHIN);
        }
    }

    private void awaitWork(Waits waits, long longest) {
        awaitWork(waits, longest, "closes", () -> awaited().isEmpty());
    }

    private void awaitWork(Waits waits, long longest, String what, BooleanSupplier ended) {
        long begun = engine.now();
        long begunBySystem = System.nanoTime();
        boolean[] logged = {longest <= GRACE};
        waits.until(
                nanos -> {
                    // A clock of the program's may stand still.
                    long waited = Math.max(engine.now() - begun, System.nanoTime() - begunBySystem);
                    if (ended.getAsBoolean() || waited >= longest) {
                        return true;
                    }
                    if (waited >= QUIET && !logged[0]) {
                        logged[0] = true;
                        LogQueue.log(
                                System.Logger.Level.INFO,
                                "the lock client " + what + ", and waits for work under its locks: "
                                        + named(awaited()));
                    }
                    engine.awaitChange(Math.min(longest - waited, PATIENCE));
                    return false;
                },
                Nanos.FOREVER);
    }

    private List<LeaseInUse> awaited() {
        Predicate<HeldLease> stuck = work.stuck(waiting);
        return engine.leasesInUse().stream()
                .filter(used -> !stuck.test(used.lease()))
                .toList();
    }

    private String named(List<LeaseInUse> leases) {
        String named = leases.stream()
                .limit(MOST_NAMED)
                .map(used -> work.describe(used.name(), used.lease()))
                .collect(Collectors.joining("; "));
        int more = leases.size() - MOST_NAMED;
        return more > 0 ? named + "; and " + more + " more" : named;
    }

    private void awaitAnswers(Waits waits) {
        BooleanSupplier answered = engine::answered;
        waits.until(nanos -> answered.getAsBoolean() || awaitChange(nanos, answered), LONGEST);
        if (!answered.getAsBoolean()) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "not everything was released within 5 s of closing: the rest ends with its lease or session");
        }
    }

    /** Never the end by itself. */
    private boolean awaitChange(long nanos, BooleanSupplier ended) throws InterruptedException {
        engine.awaitChange(Math.min(nanos, PATIENCE));
        return ended.getAsBoolean();
    }

    /** A thread of its own: the client's may all be at work under the leases that are left. */
    private void endLater() {
        closingThreads()
                .newThread(() -> uninterrupted(waits -> {
                    BooleanSupplier workEnded = () -> engine.leasesInUse().isEmpty();
                    waits.until(nanos -> workEnded.getAsBoolean() || awaitChange(nanos, workEnded), Nanos.FOREVER);
                    awaitAnswers(waits);
                    end();
                }))
                .start();
    }

    private ThreadFactory closingThreads() {
        return ClientThreads.named("hasp-closing-" + engine.clientId());
    }

    private void end() {
        if (ending.compareAndSet(false, true)) {
            try {
                engine.end();
            } finally {
                done.countDown();
            }
        }
    }

    /** Checks once for an end, waiting at most for a time in nanoseconds. */
    private interface Look {
        boolean ended(long nanos) throws InterruptedException;
    }

    private interface Steps {
        void run(Waits waits);
    }

    /** Some client libraries, too, would cut their end short. */
    private void uninterrupted(Steps steps) {
        Waits waits = new Waits(Thread.interrupted());
        try {
            steps.run(waits);
        } finally {
            if (waits.interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The waits of one thread, which notes its interrupts. */
    private final class Waits {
        private final long begun = System.nanoTime();
        private boolean interrupted;
        private @Nullable ThreadPoolExecutor others;

        private Waits(boolean interrupted) {
            this.interrupted = interrupted;
        }

        /** Looks again and again until the end or the time is over. */
        void until(Look look, long longest) {
            long since = System.nanoTime();
            for (long left = longest; left > 0; left = longest - (System.nanoTime() - since)) {
                try {
                    if (look.ended(left)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                runElsewhere();
            }
        }

        private void runElsewhere() {
            if (System.nanoTime() - begun < PATIENCE || done.getCount() == 0) {
                return;
            }
            ThreadPoolExecutor pool = others;
            if (pool == null) {
                pool = engine.threads().closing();
                others = pool;
            }
            engine.threads().runRest(pool);
        }
    }
}
