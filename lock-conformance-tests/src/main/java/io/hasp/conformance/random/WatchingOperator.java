package io.hasp.conformance.random;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads the locks of a run while its threads call, if the backend has an inspector. Reading must not disturb a call. */
final class WatchingOperator implements AutoCloseable {
    private static final long PAUSE_MILLIS = 5;

    private final RandomRun run;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "operator");

    WatchingOperator(RandomRun run) {
        this.run = run;
        thread.start();
    }

    private void watch() {
        try (LockClient client = run.connect()) {
            if (!client.capabilities().inspection()) {
                return;
            }
            LockInspector inspector = client.inspector();
            while (!end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                read(inspector);
            }
        } catch (Throwable broken) {
            run.broken("an operator that reads failed: " + broken);
        }
    }

    private void read(LockInspector inspector) {
        try {
            run.locks().forEach(lock -> inspector.lock(lock).ifPresent(this::check));
            inspector.locks(run.lock(0)).forEach(this::check);
        } catch (BackendException slow) {
            if (slow.kind() != BackendException.Kind.UNAVAILABLE) {
                throw slow;
            }
            run.count("views not answered");
        }
    }

    private void check(LockView view) {
        run.count("views");
        int permits = view.holders().stream().mapToInt(LockView.Holder::permits).sum();
        boolean fits = view.kind() == LockView.Kind.READ_WRITE
                ? view.holders().size() == 1
                        || view.holders().stream().noneMatch(holder -> holder.use() == LockView.Use.WRITE)
                : permits <= view.capacity();
        if (!fits) {
            run.broken("an operator sees more holders than fit: " + view);
        }
    }

    @Override
    public void close() {
        end.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
