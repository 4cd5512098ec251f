package io.hasp.zookeeper.session;

import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Confirms locks while an application blocks the event thread of its ZooKeeper handle, in a callback or a watcher. The event thread
 * delivers the answers to all requests with callbacks, and none to requests whose caller waits. So a request that stays unanswered is
 * repeated as one that waits, on a thread of this library. Thread-safe.
 */
final class BlockedEventThread {
    /**
     * The part of the session timeout without an answer after which the thread counts as blocked. At least half of the timeout is left
     * then.
     */
    private static final int PATIENCE = 16;

    private static final int THREADS = 4;

    private final Session session;
    private final Timing timing;
    private final ThreadPoolExecutor waiting = threads();
    private final AtomicBoolean logged = new AtomicBoolean();
    /** The latest request whose answer the event thread was late to deliver. */
    private volatile CompletableFuture<?> late = CompletableFuture.completedFuture(null);

    BlockedEventThread(Session session, Timing timing) {
        this.session = session;
        this.timing = timing;
    }

    private static ThreadPoolExecutor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                ClientThreads.named("hasp-zookeeper-confirm"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** The answer, or that of the blocking request if it comes first. */
    <T> CompletableFuture<T> orBlocking(CompletableFuture<T> answer, Supplier<CompletableFuture<T>> blocking) {
        if (answer.isDone()) {
            return answer;
        }
        CompletableFuture<T> first = new CompletableFuture<>();
        CompletableFutures.forward(answer, first);
        Duration patience = late.isDone() ? session.timeout().dividedBy(PATIENCE) : Duration.ZERO;
        Timing.Timer timer = timing.schedule(patience, () -> waiting.execute(() -> repeat(answer, first, blocking)));
        first.whenComplete((value, failure) -> timer.cancel());
        return first;
    }

    /** Answers arrive in the order of the requests: if the second one is there and the first is not, the event thread is behind. */
    private <T> void repeat(
            CompletableFuture<T> answer, CompletableFuture<T> first, Supplier<CompletableFuture<T>> blocking) {
        if (first.isDone() || !session.connected()) {
            return;
        }
        CompletableFuture<T> second = blocking.get();
        if (!answer.isDone() && session.connected()) {
            late = answer;
            logOnce();
        }
        CompletableFutures.forward(second, first);
    }

    private void logOnce() {
        if (logged.compareAndSet(false, true)) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "the event thread of the application's ZooKeeper client delivers no answers: a callback or a watcher blocks it."
                            + " Locks are kept; none is granted or released until it returns. (Logged once for a session.)");
        }
    }
}
