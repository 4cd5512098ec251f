package io.hasp.conformance.rules;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Cut;
import io.hasp.conformance.processes.ClientJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LI: clients die, and the others go on. */
public interface CrashRules extends RuleGroup {

    /**
     * Processes are killed while each holds a lock that it just got, holds one for longer than a lease, waits for one, and
     * takes and releases one as fast as it can.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.RENEWAL);
                Fleet fleet = Fleet.of(this, Tier.count(2, 4));
                Lateness lateness = new Lateness()) {
            LockUser holder = trial.user();
            LockUser heir = trial.user();
            List<Victim> victims = new ArrayList<>();
            for (ClientJvm process : fleet.clients()) {
                victims.add(Victim.engage(trial, faults(), process, holder, heir));
            }
            victims.forEach(Victim::startLoop);
            victims.get(0).assertRenews(Timings.lease().plus(Timings.units(2)));
            for (Victim victim : victims) {
                victim.assertRenews(Duration.ZERO);
                victim.kill(heir);
            }
            for (Victim victim : victims) {
                victim.assertInherited(subject().silence().plus(Timings.tolerance()), lateness);
            }
        }
    }

    /**
     * The process of a waiter between two others is killed while the lock is held.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early() throws Exception {
        Duration silence = subject().silence();
        try (Trial trial = Trial.about(subject(), Claimed.RENEWAL);
                Fleet fleet = Fleet.of(this, 1)) {
            Hold hold = trial.take(trial.user());
            LockUser last = trial.user();
            fleet.only().acquiring(trial.lock(), Timings.longWait(), null);
            trial.awaitPresent(faults(), 2);
            Trial.Task<Hold> waiting = trial.waiting(last);
            trial.awaitPresent(faults(), 3);

            fleet.only().kill();

            waiting.assertStillWaits(silence, "the waiter before it was killed, and the lock is held");
            hold.release();
            waiting.within(
                            silence.plus(Timings.tolerance()),
                            "the waiter behind one that was killed still waits for a free lock")
                    .release();
        }
    }

    /**
     * Clients lose their network for good while they queue, all at once, in front of one that lives.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li9_many_dead_waiters_delay_the_next_no_longer_than_one() throws Exception {
        int dead = Tier.count(20, 100);
        try (Wire wire = wire();
                Trial trial = new Trial(subject());
                Trial doomed = new Trial(wire.subject());
                Lateness lateness = new Lateness()) {
            Hold hold = trial.take(trial.user());
            LockUser alive = trial.user();
            for (LockUser user : doomed.users(dead)) {
                doomed.start(() -> user.tryAcquire(trial.lock(), Timings.longWait()));
            }
            trial.awaitPresent(faults(), 1 + dead);
            Trial.Task<Hold> waiting = trial.waiting(alive);
            trial.awaitPresent(faults(), 2 + dead);

            wire.proxy().refuse();
            wire.proxy().cut(Cut.RST);
            hold.release();

            try {
                waiting.within(
                                wire.subject()
                                        .silence()
                                        .plus(Timings.tolerance())
                                        .plus(lateness.allowance()),
                                "behind " + dead + " dead waiters a live one still waits for a free lock")
                        .release();
            } finally {
                wire.proxy().heal();
            }
        }
    }
}
