package io.hasp.conformance.rules;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.rules.support.ClientJvmGroup;
import io.hasp.conformance.rules.support.CrashingClient;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LI: clients die, and the others continue. */
public interface CrashRules extends RuleGroup {

    /**
     * Processes are killed while each holds a lock that it just got, holds one for longer than a lease, waits for one, and
     * takes and releases one as fast as it can.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.RENEWAL);
                ClientJvmGroup group = ClientJvmGroup.of(this, Tier.count(2, 4));
                MachineLateness lateness = new MachineLateness()) {
            LockUser holder = run.user();
            LockUser successor = run.user();
            List<CrashingClient> clients = new ArrayList<>();
            for (ClientJvm process : group.clients()) {
                clients.add(CrashingClient.prepare(run, faults(), process, holder, successor));
            }
            clients.forEach(CrashingClient::startLoop);
            clients.get(0).assertRenews(Timings.lease().plus(Timings.units(2)));
            for (CrashingClient client : clients) {
                client.assertRenews(Duration.ZERO);
                client.kill(successor);
            }
            for (CrashingClient client : clients) {
                client.assertTakenOver(subject().silence().plus(Timings.tolerance()), lateness);
            }
        }
    }

    /**
     * The process of a waiter between two others is killed while the lock is held.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early() throws Exception {
        Duration silence = subject().silence();
        try (RuleRun run = RuleRun.about(subject(), Claimed.RENEWAL);
                ClientJvmGroup group = ClientJvmGroup.of(this, 1)) {
            Hold hold = run.take(run.user());
            LockUser last = run.user();
            group.only().acquiring(run.lock(), Timings.longWait(), null);
            run.awaitPresent(faults(), 2);
            RuleRun.Task<Hold> waiting = run.waiting(last);
            run.awaitPresent(faults(), 3);

            group.only().kill();

            waiting.assertStillWaits(silence, "the waiter before it was killed, and the lock is held");
            hold.release();
            waiting.within(
                            silence.plus(Timings.tolerance()),
                            "the waiter behind one that was killed still waits for a free lock")
                    .release();
        }
    }

    /**
     * Queued clients lose their network for good, all at once, in front of one that lives.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void li9_many_dead_waiters_delay_the_next_no_longer_than_one() throws Exception {
        int dead = Tier.count(20, 100);
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(subject());
                RuleRun cutOff = new RuleRun(proxied.subject());
                MachineLateness lateness = new MachineLateness()) {
            Hold hold = run.take(run.user());
            LockUser alive = run.user();
            for (LockUser user : cutOff.users(dead)) {
                cutOff.start(() -> user.tryAcquire(run.lock(), Timings.longWait()));
            }
            run.awaitPresent(faults(), 1 + dead);
            RuleRun.Task<Hold> waiting = run.waiting(alive);
            run.awaitPresent(faults(), 2 + dead);

            proxied.proxy().refuse();
            proxied.proxy().cut(ConnectionEnd.RST);
            hold.release();

            try {
                waiting.within(
                                proxied.subject()
                                        .silence()
                                        .plus(Timings.tolerance())
                                        .plus(lateness.allowance()),
                                "behind " + dead + " dead waiters a live one still waits for a free lock")
                        .release();
            } finally {
                proxied.proxy().heal();
            }
        }
    }
}
