package io.hasp;

import io.hasp.engine.LockEngine;
import io.hasp.engine.WorkInProgress;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Shares the engine, and the users' side of it, between the locks and leases of one client. */
final class ClientContext {
    private static final Duration SOON = Duration.ofMillis(20);

    final LockEngine engine;
    final ClientOptions options;
    /** The client's name for people. */
    final String label;

    final LockEvents events;
    final LeaseHandles handles;
    final ThreadHolds threadHolds;
    final OpenElections elections = new OpenElections();

    ClientContext(LockBackend backend, EngineThreads threads, String clientId, ClientOptions options) {
        this.options = options;
        this.label = options.label();
        this.events = new LockEvents(options.listeners(), threads.notices, soon(threads, options), threads.timing);
        threads.whenStopped(() -> {
            // Those of a client that failed, and that pause, have no timer any more.
            elections.beginClosing();
            events.end();
        });
        if (events.hasNonBlockingListener()) {
            threads.markUsers();
        }
        this.handles = new LeaseHandles(events);
        this.threadHolds = new ThreadHolds(events);
        this.engine = new LockEngine(
                backend, threads, clientId, settings(backend, options), events::accept, this::reportForgotten);
    }

    /** Returns an executor that delays its tasks a little; it runs them at once if the program moves the clock. */
    private static Executor soon(EngineThreads threads, ClientOptions options) {
        if (options.timing().isPresent()) {
            return threads.notices;
        }
        return task -> {
            try {
                threads.timing.schedule(SOON, () -> threads.notices.execute(task));
            } catch (RejectedExecutionException closed) {
                threads.notices.execute(task);
            }
        };
    }

    private static EngineSettings settings(LockBackend backend, ClientOptions options) {
        return new EngineSettings(
                Nanos.of(options.renewedLease()),
                Nanos.of(options.unavailableAfter()),
                options.handsOff() ? EngineSettings.MOST_HAND_OFFS : 0,
                EngineSettings.LONGEST_HAND_OFF,
                !options.listeners().isEmpty(),
                backend.capabilities().enforcement() == Capabilities.Enforcement.SESSION,
                options.keep().map(Nanos::of).orElse(0L),
                EngineSettings.USUAL_ASKING);
    }

    private void reportForgotten() {
        threadHolds.reportAbandoned();
        handles.reportDropped();
    }

    LeaseTerms terms(LockOptions lock) {
        LeaseTerms terms = LeaseTerms.of(
                        lock.renewedLease().orElse(options.renewedLease()),
                        lock.fixedLease(),
                        lock.maxHold().or(options::maxHold))
                .withLabel(label);
        return lock.takenAtLeast().map(terms::takenAtLeast).orElse(terms);
    }

    OnLoss onLoss(LockOptions lock) {
        return lock.onLoss() == OnLoss.CLIENT ? options.onLoss() : lock.onLoss();
    }

    /** Returns the work under the client's locks, for the end of the client. */
    WorkInProgress work() {
        return new ClosingWork();
    }

    /** Includes the error that ended the client, if there was one. */
    ClientClosedException closedException(@Nullable LockName lock) {
        String name = lock == null ? null : lock.value();
        Throwable failure = engine.failure();
        return failure == null
                ? new ClientClosedException("the lock client was closed", name)
                : new ClientClosedException("the lock client failed, and was closed: " + failure, failure, name);
    }

    static BackendException failed(String what, BackendFailure failure, @Nullable LockName lock) {
        return new BackendException(what + ": " + failure.getMessage(), failure, lock == null ? null : lock.value());
    }
}
