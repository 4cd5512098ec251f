package io.hasp.spring.integration;

import io.hasp.Lease;
import io.hasp.spi.LogQueue;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * The leadership of one candidate. Spring's initiator unlocks first and reports the end afterwards. Here
 * {@link LeaderLock} reports the end before it unlocks, and the initiator's later report is suppressed. Thread-safe.
 */
final class Leadership implements Candidate {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Candidate candidate;
    private volatile @Nullable Context granted;
    private volatile Consumer<Context> publishRevoked = context -> {};
    private volatile @Nullable Lease lease;
    /** The thread that has the lock, or tries to acquire it. */
    private @Nullable Thread active;

    Leadership(Candidate candidate) {
        this.candidate = candidate;
    }

    @Override
    public String getRole() {
        return candidate.getRole();
    }

    @Override
    public String getId() {
        return candidate.getId();
    }

    @Override
    public void onGranted(Context context) throws InterruptedException {
        Context led = new LeaseContext(context, this);
        granted = led;
        candidate.onGranted(led);
    }

    /** Called by the initiator, after its unlock. */
    @Override
    public void onRevoked(Context context) {
        revoke();
    }

    /** Notifies the candidate and the publisher of the end, once. */
    void revoke() {
        Context context = granted;
        if (context == null) {
            return;
        }
        granted = null;
        try {
            informOfEnd("a candidate", () -> candidate.onRevoked(context));
        } finally {
            informOfEnd("a publisher", () -> publishRevoked.accept(context));
        }
    }

    private void informOfEnd(String whom, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LogQueue.log(System.Logger.Level.WARNING, whom + " failed at the end of its leadership of " + getRole(), e);
        }
    }

    /** Returns a publisher for the initiator that passes on everything except the end of a leadership. */
    LeaderEventPublisher publishing(Object source, LeaderEventPublisher publisher) {
        publishRevoked = context -> publisher.publishOnRevoked(source, context, getRole());
        return new LeaderEventPublisher() {
            @Override
            public void publishOnGranted(Object from, Context context, String role) {
                publisher.publishOnGranted(from, new LeaseContext(context, Leadership.this), role);
            }

            @Override
            public void publishOnRevoked(Object from, Context context, String role) {}

            @Override
            public void publishOnFailedToAcquire(Object from, Context context, String role) {
                publisher.publishOnFailedToAcquire(from, context, role);
            }
        };
    }

    /** Decides by the lease's clock, independently of the initiator's state. */
    boolean holds() {
        Lease now = lease;
        return now != null && !now.remaining().isZero();
    }

    void begins(Lease with) {
        lease = with;
    }

    synchronized void entered() {
        active = Thread.currentThread();
    }

    synchronized void left() {
        if (active == Thread.currentThread()) {
            active = null;
            notifyAll();
        }
    }

    /** Waits until no thread other than the calling one has the lock or is about to acquire it. */
    synchronized void awaitEnd() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (active != null && active != Thread.currentThread()) {
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    LogQueue.log(
                            System.Logger.Level.WARNING,
                            "the leadership of " + getRole() + " has not ended " + PATIENCE.toSeconds()
                                    + " s after its initiator was stopped: thread '" + active.getName() + "' goes on");
                    return;
                }
                wait(millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
