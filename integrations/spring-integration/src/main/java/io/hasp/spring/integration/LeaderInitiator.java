package io.hasp.spring.integration;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring's initiator, on a lock that is released after the end of a leadership. */
final class LeaderInitiator extends LockRegistryLeaderInitiator {
    private final Leadership leadership;
    private boolean publisherGiven;

    LeaderInitiator(RegistryLocks locks, Candidate candidate) {
        this(new Leadership(candidate), locks);
    }

    private LeaderInitiator(Leadership leadership, RegistryLocks locks) {
        super(role -> new LeaderLock(locks.leaderLock(role), leadership), leadership);
        this.leadership = leadership;
    }

    @Override
    public Context getContext() {
        return new LeaseContext(super.getContext(), leadership);
    }

    @Override
    public void setLeaderEventPublisher(LeaderEventPublisher publisher) {
        publisherGiven = true;
        super.setLeaderEventPublisher(leadership.publishing(this, publisher));
    }

    /** Creates the objects that Spring's initiator would create at its start. */
    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        super.setApplicationEventPublisher(publisher);
        if (!publisherGiven) {
            super.setLeaderEventPublisher(leadership.publishing(this, new DefaultLeaderEventPublisher(publisher)));
        }
    }

    /**
     * Also waits for the end of the leadership: otherwise the application's next closed bean, such as the client, could
     * end the lock first.
     */
    @Override
    public void stop() {
        super.stop();
        leadership.awaitEnd();
    }
}
