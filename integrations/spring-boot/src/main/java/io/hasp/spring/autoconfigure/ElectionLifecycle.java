package io.hasp.spring.autoconfigure;

import io.hasp.LeaderElection;
import io.hasp.Registration;
import io.hasp.TermAction;
import io.hasp.spi.ClientThreads;
import io.hasp.spring.LeaderChangedEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Joins the election after all other beans have started, and resigns before any of them stops. A candidate can't join again, so the election
 * of a context that is stopped ends for good. Thread-safe.
 */
final class ElectionLifecycle implements SmartLifecycle {
    private final LeaderElection election;
    private final ObjectProvider<TermAction> work;
    private final ApplicationEventPublisher events;
    private @Nullable Registration registration;
    private boolean ended;

    ElectionLifecycle(LeaderElection election, ObjectProvider<TermAction> work, ApplicationEventPublisher events) {
        this.election = election;
        this.work = work;
        this.events = events;
    }

    @Override
    public synchronized void start() {
        if (registration != null || ended) {
            return;
        }
        registration = election.onChange(
                task -> ClientThreads.daemon(task, "hasp-election-events").start(),
                change -> events.publishEvent(new LeaderChangedEvent(election, change)));
        TermAction action = work.getIfUnique();
        if (action == null) {
            election.join();
        } else {
            election.run(action);
        }
    }

    @Override
    public void stop() {
        synchronized (this) {
            ended = true;
        }
        election.close();
    }

    @Override
    public synchronized boolean isRunning() {
        return registration != null && !ended;
    }
}
