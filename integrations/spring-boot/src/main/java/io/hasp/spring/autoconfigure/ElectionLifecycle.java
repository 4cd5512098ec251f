package io.hasp.spring.autoconfigure;

import io.hasp.LeaderElection;
import io.hasp.Registration;
import io.hasp.TermAction;
import io.hasp.spi.ClientThreads;
import io.hasp.spring.LeaderChangedEvent;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Joins the election after all other beans have started, and resigns before any of them stops. The candidate of a context that is stopped
 * and started again joins again, unless its bean is of the program's own: a closed candidate can't. Thread-safe.
 */
final class ElectionLifecycle implements SmartLifecycle {
    private static final Log LOG = LogFactory.getLog("io.hasp.spring");
    /** The longest wait for listeners that hear of the end. */
    private static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

    private final LeaderElection election;
    private final ObjectProvider<TermAction> work;
    private final ApplicationEventPublisher events;
    /** The threads of the listeners. */
    private final Set<Thread> publishing = ConcurrentHashMap.newKeySet();

    private @Nullable Registration registration;
    private boolean ended;

    ElectionLifecycle(LeaderElection election, ObjectProvider<TermAction> work, ApplicationEventPublisher events) {
        this.election = election;
        this.work = work;
        this.events = events;
    }

    @Override
    public synchronized void start() {
        if (registration != null && !ended) {
            return;
        }
        if (ended && !startsAgain()) {
            LOG.warn("The context was stopped and is started again, but not its candidate in election '"
                    + election.name() + "': only a new context has a candidate again");
            return;
        }
        ended = false;
        if (registration == null) {
            registration = election.onChange(
                    this::publish, change -> events.publishEvent(new LeaderChangedEvent(election, change)));
        }
        TermAction action = work.getIfAvailable();
        if (action == null) {
            election.join();
        } else {
            election.run(action);
        }
    }

    private boolean startsAgain() {
        return election instanceof ContextElection ours && ours.start();
    }

    @Override
    public void stop() {
        synchronized (this) {
            ended = true;
        }
        if (election instanceof ContextElection ours) {
            ours.stop();
        } else {
            election.close();
        }
        awaitListeners();
    }

    private void publish(Runnable task) {
        Thread thread = ClientThreads.daemon(
                () -> {
                    try {
                        task.run();
                    } finally {
                        publishing.remove(Thread.currentThread());
                    }
                },
                "hasp-election-events");
        publishing.add(thread);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            publishing.remove(thread);
            throw noThread;
        }
    }

    /** Their beans are destroyed next. */
    private void awaitListeners() {
        long begun = System.nanoTime();
        try {
            for (Thread thread : publishing) {
                Duration left = HEARD_WITHIN.minusNanos(System.nanoTime() - begun);
                if (thread != Thread.currentThread() && left.toMillis() > 0) {
                    thread.join(left.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return registration != null && !ended;
    }
}
