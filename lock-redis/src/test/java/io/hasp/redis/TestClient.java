package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend driven by hand, as the engine drives it, with one lock. */
public final class TestClient implements AutoCloseable {
    static final LockName NAME = new LockName("orders/42");
    static final String KEY = "hasp:{orders/42}";
    static final Duration LEASE = Duration.ofSeconds(30);
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    final String id = "client" + CLIENTS.incrementAndGet();
    final LinkedBlockingQueue<String> signals = new LinkedBlockingQueue<>();
    final LockBackend backend;

    TestClient(BackendSource source) {
        this(source, new NoTiming(), ForkJoinPool.commonPool());
    }

    TestClient(BackendSource source, Timing timing, Executor executor) {
        backend = source.open(new BackendContext(id, timing, executor));
    }

    Attempt acquire(String holder) {
        return acquire(claim(holder, LEASE, true));
    }

    Attempt tryAcquire(String holder) {
        return acquire(claim(holder, LEASE, false));
    }

    Attempt acquire(Claim claim) {
        return answer(backend.acquire(claim, signal -> signals.add(claim.holder() + " " + signal)));
    }

    Grant granted(String holder) {
        Attempt attempt = acquire(holder);
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).grant();
    }

    Released release(String holder) {
        return answer(backend.release(claim(holder, LEASE, false)));
    }

    Renewal renew(Grant grant) {
        return answer(backend.renew(List.of(grant))).get(0);
    }

    static Claim claim(String holder, Duration lease, boolean queue) {
        return Claim.renewedLease(NAME, new HolderId(holder), lease, queue);
    }

    public static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof BackendFailure failure ? failure : e;
        }
    }

    @Override
    public void close() {
        backend.close();
    }

    /** The backend needs a clock only. */
    private static final class NoTiming implements Timing {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
