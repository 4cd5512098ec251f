package io.hasp;

import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one client, kept apart so that nothing a user blocks can hold up a renewal or a deadline: the timer decides
 * and never blocks; requests, which may block in the backend, renewals, users' futures, and observers each run elsewhere.
 * Those that the client starts itself are daemons, named after it, and gone when idle.
 *
 * <p>A given executor serves for requests, futures and observers. Renewals run on it only if the clock is given as well: then
 * whoever gives both decides every step.
 */
final class EngineThreads {
    /** Each request on them is bounded by a command timeout, so a bound only delays and can't deadlock. */
    private static final int MOST = 32;

    private static final int MOST_RENEWALS = 4;

    private final List<ThreadPoolExecutor> own = new ArrayList<>();
    private final String clientId;
    final Timing timing;
    /** Where the backend may block. Runs nothing of the user's. */
    final LosslessExecutor requests;

    final LosslessExecutor renewals;
    /** Where users' futures complete. */
    final LosslessExecutor callbacks;
    /** Where observers of leases and the listener are told. */
    final LosslessExecutor notices;

    private final Runnable stopTiming;

    EngineThreads(String clientId, ClientOptions options) {
        this.clientId = clientId;
        if (options.timing().isPresent()) {
            timing = options.timing().get();
            stopTiming = () -> {};
        } else {
            SystemTiming system = new SystemTiming(clientId);
            timing = system;
            stopTiming = system::close;
        }
        if (options.executor().isPresent()) {
            Executor given = options.executor().get();
            requests = lossless(given);
            callbacks = requests;
            notices = requests;
            renewals = options.timing().isPresent() ? requests : lossless(pool("renewal", MOST_RENEWALS));
        } else {
            requests = lossless(pool("request", MOST));
            callbacks = lossless(pool("callback", MOST));
            notices = lossless(pool("notice", MOST));
            renewals = lossless(pool("renewal", MOST_RENEWALS));
        }
    }

    private LosslessExecutor lossless(Executor executor) {
        return new LosslessExecutor(executor, timing);
    }

    private ThreadPoolExecutor pool(String purpose, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most,
                most,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                named("hasp-" + purpose + "-" + clientId));
        pool.allowCoreThreadTimeOut(true);
        own.add(pool);
        return pool;
    }

    static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Threads beside a given executor, for closing the client on that executor's only thread. To be shut down. */
    ThreadPoolExecutor closing() {
        return pool("closing", MOST);
    }

    /** No timer fires any more; what was handed over before still runs. */
    void stop() {
        requests.end();
        callbacks.end();
        notices.end();
        renewals.end();
        stopTiming.run();
        own.forEach(ThreadPoolExecutor::shutdown);
    }
}
