package io.hasp.conformance.random;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.AttemptLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What must be true when all threads are done: nothing is under way, nothing is left, and every lock is free. */
final class FinalChecks {
    /** For what is withdrawn in the background. */
    private static final Duration SOON = Timings.units(30);

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

    /** Without a wait: nobody else wants it. */
    private void freshClientGetsAll() {
        try (LockClient fresh = run.connect()) {
            for (String lock : run.locks()) {
                AttemptLog log = run.log.acquiring("fresh", lock);
                Optional<Lease> lease = fresh.lock(lock).tryAcquire();
                if (lease.isEmpty()) {
                    log.refused();
                    run.broken("a fresh client is refused '" + lock + "', which nobody wants any more");
                    continue;
                }
                log.granted(lease.get().fencingToken());
                log.releasing();
                lease.get().release();
                log.released(true);
            }
        }
    }
}
