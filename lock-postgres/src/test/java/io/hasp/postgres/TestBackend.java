package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend driven by hand, as the engine drives it. */
record TestBackend(LockBackend backend, List<String> signals) implements AutoCloseable {
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    static TestBackend on(PostgresServer server) {
        return on(PostgresBackend.on(PostgresConfig.of(URI.create(server.uri()))));
    }

    static TestBackend on(BackendSource source) {
        return new TestBackend(source.open(context()), new CopyOnWriteArrayList<>());
    }

    static BackendContext context() {
        return new BackendContext("client" + CLIENTS.incrementAndGet(), new Clock(), ForkJoinPool.commonPool());
    }

    Attempt acquire(Claim claim) {
        return answer(backend.acquire(claim, signal -> signals.add(claim.holder() + " " + signal)));
    }

    Grant granted(Claim claim) {
        Attempt attempt = acquire(claim);
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).grant();
    }

    static <T> T answer(CompletionStage<T> stage) {
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
    private static final class Clock implements Timing {
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
