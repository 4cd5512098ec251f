package io.hasp.test;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of clients. Virtual time must not pass while they work, so that a renewal is not late on a slow machine, and no test ends
 * while they are about to take a lock.
 * A task that blocks, such as a callback of the program that waits for another thread, does not count as working. Thread-safe.
 *
 * <p>Threads of the program that wait for a lock make their requests themselves. They are watched, too, but no more once they do
 * something else. A thread that was just woken may look as if it still waited, so it gets a moment.
 */
final class Threads implements Executor, AutoCloseable {
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);
    /** A thread that is seen waiting so often in a row waits for something else than the processor. */
    private static final int SEEN_WAITING = 20;
    /** A task that works for longer, such as an endless callback, is not waited for any more. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);

    private final ExecutorService pool = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "hasp-test");
        thread.setDaemon(true);
        return thread;
    });
    private static final String RESTING = "io\\.hasp\\.engine\\.(Waiting|Several)Caller";

    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final Set<Thread> working = ConcurrentHashMap.newKeySet();
    /** Those whose present task worked for too long. */
    private final Set<Thread> endless = ConcurrentHashMap.newKeySet();

    @Override
    public void execute(Runnable task) {
        unfinished.incrementAndGet();
        try {
            pool.execute(() -> run(task));
        } catch (RuntimeException | Error refused) {
            unfinished.decrementAndGet();
            throw refused;
        }
    }

    private void run(Runnable task) {
        Thread thread = Thread.currentThread();
        working.add(thread);
        try {
            task.run();
        } finally {
            working.remove(thread);
            endless.remove(thread);
            unfinished.decrementAndGet();
        }
    }

    /** Notes that the current thread requests a lock. */
    void addCaller() {
        if (!working.contains(Thread.currentThread())) {
            callers.add(Thread.currentThread());
        }
    }

    /** Waits until no task works, after a step of many. */
    void settleBriefly() {
        awaitTasks();
        awaitCallers(1);
    }

    /** Waits until no task works, and no thread that waits for a lock. */
    void settle() {
        awaitTasks();
        awaitCallers(SEEN_WAITING);
        awaitTasks();
    }

    private void awaitCallers(int often) {
        long begun = System.nanoTime();
        int calm = 0;
        while (calm < often && !callers.isEmpty() && System.nanoTime() - begun < LONGEST) {
            LockSupport.parkNanos(PAUSE);
            callers.removeIf(thread -> !rests(thread) && !requests(thread));
            calm = callers.stream().allMatch(Threads::rests) ? calm + 1 : 0;
        }
        if (System.nanoTime() - begun >= LONGEST) {
            callers.removeIf(thread -> !rests(thread));
        }
    }

    /** False for a thread that has its lock, or has ended. */
    private static boolean requests(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getClassName)
                .anyMatch(name -> name.startsWith("io.hasp.engine.")
                        || name.equals("io.hasp.Acquirer")
                        || name.equals("io.hasp.MultiAcquirer"));
    }

    /** True for a thread that waits for the outcome, and not for a moment of some other thing, such as the start of a thread. */
    private static boolean rests(Thread thread) {
        return thread == Thread.currentThread()
                || (waits(thread)
                        && Arrays.stream(thread.getStackTrace())
                                .map(StackTraceElement::getClassName)
                                .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                                .findFirst()
                                .map(name -> !name.startsWith("io.hasp.") || name.matches(RESTING))
                                .orElse(true));
    }

    /** Waits until no task works. */
    void awaitTasks() {
        long begun = System.nanoTime();
        int own = working.contains(Thread.currentThread()) ? 1 : 0;
        int waiting = 0;
        while (unfinished.get() > own && waiting < SEEN_WAITING && System.nanoTime() - begun < LONGEST) {
            LockSupport.parkNanos(PAUSE);
            waiting = allWait(own) ? waiting + 1 : 0;
        }
        if (System.nanoTime() - begun >= LONGEST) {
            giveUpWaiting();
        }
    }

    private boolean allWait(int own) {
        long blocked = working.stream()
                .filter(thread -> thread != Thread.currentThread())
                .filter(thread -> endless.contains(thread) || waits(thread))
                .count();
        return unfinished.get() == blocked + own;
    }

    /** One long wait for each endless task is enough: a step of many, such as an hour with its renewals, has no time for more. */
    private void giveUpWaiting() {
        working.stream().filter(thread -> !waits(thread)).forEach(endless::add);
        endless.retainAll(working);
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
