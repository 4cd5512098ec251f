package io.hasp.memory;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** Counts the leases of a healthy server that are lost, and the calls that hang, while the log handler blocks with the line of another loss. */
final class BlockedLogProbe extends Handler implements Callable<Long> {
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final int HEALTHY = 20;
    private static final String LOST = "lost-while-the-log-blocks";

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final AtomicBoolean first = new AtomicBoolean(true);
    private final CountDownLatch unblocked = new CountDownLatch(1);

    @Override
    public Long call() throws Exception {
        MemoryServer server = new MemoryServer(new RealClock());
        Logger logger = Logger.getLogger("io.hasp");
        logger.addHandler(this);
        LockClient client =
                LockClient.over(server.link(), ClientOptions.defaults().renewedLease(LEASE));
        try {
            List<Lease> healthy = IntStream.range(0, HEALTHY)
                    .mapToObj(i -> client.lock("healthy-" + i).tryAcquire().orElseThrow())
                    .toList();
            // Its end is found by the timer, on which all others depend.
            Lease lost = client.lock(LOST, LockOptions.defaults().fixedLease(LEASE.dividedBy(2)))
                    .tryAcquire()
                    .orElseThrow();
            if (!blocked.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the loss was not logged: " + lost);
            }
            TimeUnit.NANOSECONDS.sleep(LEASE.multipliedBy(2).toNanos());
            long lostToo = healthy.stream()
                    .filter(lease -> lease.state() == LeaseState.LOST)
                    .count();
            return lostToo + (answers(client.lock(LOST)) ? 0 : 1);
        } finally {
            unblocked.countDown();
            client.closeNow();
            logger.removeHandler(this);
        }
    }

    private static boolean answers(DistributedLock lock) throws Exception {
        try {
            CompletableFuture.runAsync(() -> lock.tryAcquire().ifPresent(Lease::release))
                    .get(LEASE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException blocked) {
            return false;
        }
    }

    /** The line of the loss, and only once: the look at the leases would block as well. */
    @Override
    public void publish(LogRecord line) {
        if (!line.getMessage().contains(LOST) || !first.compareAndSet(true, false)) {
            return;
        }
        blocked.countDown();
        try {
            unblocked.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
