package io.hasp.conformance.random;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.AttemptLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks the end state, once all threads are done: no call is in progress, nothing is left, and every lock is free. */
final class FinalChecks {
    /** For what is withdrawn in the background. */
    static final Duration SOON = Timings.units(30);

    private final RandomRun run;
    private final ServerView server;

    FinalChecks(RandomRun run, ServerView server) {
        this.run = run;
        this.server = server;
    }

    void check() throws Exception {
        releasesEnd();
        nothingLeft("when all threads were done");
        freshClientGetsAll();
    }

    private void releasesEnd() throws InterruptedException {
        for (CompletableFuture<?> release : run.releases) {
            try {
                release.get(SOON.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                run.broken("releaseAsync() has not completed " + SOON.toMillis() + " ms after all threads were done");
                return;
            } catch (ExecutionException e) {
                // Judged where it was called.
            }
        }
    }

    void nothingLeft(String when) throws Exception {
        long end = System.nanoTime() + SOON.toNanos();
        for (String lock : run.locks()) {
            List<String> left = server.at(lock);
            while (!left.isEmpty() && System.nanoTime() - end < 0) {
                // The interval between two looks; what the server has decides.
                TimeUnit.MILLISECONDS.sleep(10);
                left = server.at(lock);
            }
            if (!left.isEmpty()) {
                run.broken(SOON.toMillis() + " ms " + when + " the server still has at '" + lock + "': " + left);
            }
        }
    }

    /**
     * Acquires each lock completely, as its own kind and then as another kind. No other client competes, so the
     * attempts do not wait.
     */
    private void freshClientGetsAll() {
        try (LockClient fresh = run.connect()) {
            for (int lock = 0; lock < run.plan.locks(); lock++) {
                take(fresh, run.lock(lock), run.plan.whole(lock));
                if (run.plan.sharing()) {
                    take(fresh, run.lock(lock), run.plan.otherKind(lock));
                }
            }
        }
    }

    private void take(LockClient fresh, String lock, LockMode mode) {
        AttemptLog log = run.log.acquiring("fresh", lock, mode);
        try {
            Optional<Lease> lease =
                    HaspSubject.lock(fresh, lock, mode, LockOptions.defaults()).tryAcquire();
            if (lease.isPresent()) {
                log.granted(lease.get().fencingToken());
                log.releasing();
                lease.get().release();
                log.released(true);
                return;
            }
            log.refused();
            run.broken("a fresh client is refused '" + lock + "' (" + mode + "), which nobody wants any more");
        } catch (BackendException e) {
            if (e.kind() != BackendException.Kind.OTHER_KIND) {
                throw e;
            }
            log.refused();
            run.broken("a fresh client is refused '" + lock + "' (" + mode + "), which nobody uses any more: " + e);
        }
    }
}
