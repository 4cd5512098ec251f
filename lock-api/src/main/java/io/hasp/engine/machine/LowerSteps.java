package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;

/**
 * The steps of {@link LockMachine} by which a holder keeps a part of its share. The client reduces its belief before it asks the server:
 * the lease ends, and a smaller one begins on the same grant, with the same deadline. The server lowers the grant with the next renewal,
 * which is sent at once and repeated until it is answered. Until then others wait longer than they must, and no other client enters too
 * early.
 */
final class LowerSteps {
    private static final LeaseLife.Event GIVEN_BACK = new LeaseLife.Event.GivenBack();
    private static final LeaseLife.Event TICKED = new LeaseLife.Event.Ticked();

    private LowerSteps() {}

    static void lower(LockState lock, HeldLease lease, LowerCall call) {
        LeaseSteps.advance(lock, lease, TICKED);
        if (!lease.alive()) {
            lock.took(Transition.LOWERED_OVER);
            lock.effects.add(new Effect.CompleteLowering(call, null));
            return;
        }
        lock.took(Transition.LOWERED);
        HeldLease lowered = lease.loweredTo(call.share, lock.now);
        LeaseSteps.advance(lock, lease, GIVEN_BACK);
        lock.setAlarm(lease);
        lock.leases.put(lowered);
        lock.queue.settled(lease, lowered);
        if (lock.settings.observed()) {
            lock.effects.add(new Effect.Report(new Notice.Acquired(lock.name, 0, lowered.token())));
        }
        lowered.endAwaited = true;
        // Before the request: an answer to a lease without an alarm would be lost.
        lock.setAlarm(lowered);
        lock.effects.add(new Effect.Renew(lowered));
        lock.effects.add(new Effect.CompleteLowering(call, lowered));
    }
}
