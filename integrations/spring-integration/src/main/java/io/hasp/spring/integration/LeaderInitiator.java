package io.hasp.spring.integration;

import io.hasp.ClientClosedException;
import io.hasp.LeaderElection;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** One candidate of a {@link LeaderElection}, with the setters and the lifecycle of Spring's initiator. */
final class LeaderInitiator extends LockRegistryLeaderInitiator {
    /** A candidate may swallow the interrupt at the end of its term. */
    private static final long LOOK_MILLIS = 200;

    private final RegistryLocks locks;
    private final Candidate candidate;
    private volatile @Nullable LeaderEventPublisher publisher;
    private volatile Duration heartbeat = Duration.ofMillis(DEFAULT_HEART_BEAT_TIME);
    private volatile @Nullable LeaderElection election;
    private volatile @Nullable TermContext leading;

    private final Context context = new Context() {
        @Override
        public boolean isLeader() {
            TermContext now = leading;
            return now != null && now.isLeader();
        }

        @Override
        public void yield() {
            TermContext now = leading;
            if (now != null) {
                now.yield();
            }
        }

        @Override
        public @Nullable String getRole() {
            return candidate.getRole();
        }
    };

    LeaderInitiator(RegistryLocks locks, Candidate candidate) {
        super(
                role -> {
                    throw new UnsupportedOperationException("the election has the lock");
                },
                candidate);
        this.locks = locks;
        this.candidate = candidate;
    }

    @Override
    public void setHeartBeatMillis(long millis) {
        super.setHeartBeatMillis(millis);
        heartbeat = Duration.ofMillis(millis);
    }

    @Override
    public void setLeaderEventPublisher(LeaderEventPublisher given) {
        publisher = given;
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher events) {
        if (publisher == null) {
            publisher = new DefaultLeaderEventPublisher(events);
        }
    }

    @Override
    public Context getContext() {
        return context;
    }

    @Override
    public boolean isRunning() {
        return election != null;
    }

    @Override
    public synchronized void start() {
        if (election != null) {
            return;
        }
        LeaderElection begun = locks.election(candidate);
        begun.run(term -> lead(new TermContext(begun, term, candidate.getRole())));
        election = begun;
        if (isPublishFailedEvents()) {
            ClientThreads.daemon(() -> publishFailures(begun), "hasp-candidate-" + begun.name())
                    .start();
        }
    }

    /**
     * Also waits for the end of the leadership: otherwise the application's next closed bean, such as the client, could
     * end the lock first.
     */
    @Override
    public void stop() {
        LeaderElection stopped;
        synchronized (this) {
            stopped = election;
            election = null;
        }
        if (stopped != null) {
            stopped.close();
        }
    }

    /** The work of a term: the lock is released after its end. */
    private void lead(TermContext led) throws InterruptedException {
        leading = led;
        try {
            candidate.onGranted(led);
            publish("begin", to -> to.publishOnGranted(this, led, candidate.getRole()));
            while (!led.term().ended()) {
                Thread.sleep(LOOK_MILLIS);
            }
        } finally {
            led.end();
            boolean ignored = Thread.interrupted();
            inform("a candidate", "end", () -> candidate.onRevoked(led));
            publish("end", to -> to.publishOnRevoked(this, led, candidate.getRole()));
        }
    }

    private void publishFailures(LeaderElection in) {
        try {
            while (true) {
                if (in.await(heartbeat).isPresent()) {
                    Thread.sleep(heartbeat.toMillis());
                } else {
                    publish("failure", to -> to.publishOnFailedToAcquire(this, context, candidate.getRole()));
                }
            }
        } catch (InterruptedException | ClientClosedException stopped) {
            // No more failures.
        }
    }

    /** One event. */
    private interface Publication {
        void by(LeaderEventPublisher publisher);
    }

    private void publish(String moment, Publication event) {
        LeaderEventPublisher to = publisher;
        if (to != null) {
            inform("a publisher", moment, () -> event.by(to));
        }
    }

    private void inform(String whom, String moment, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    whom + " failed at the " + moment + " of its leadership of " + candidate.getRole(),
                    e);
        }
    }
}
