package io.hasp.conformance.rules.support;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.LockLoop;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/**
 * A client process that is killed while it does one of four things with each of four locks, and the waiters that get these
 * locks after it.
 */
public final class CrashingClient {
    /** The client's activity when it is killed. */
    private enum Activity {
        /** The lock was granted just now. */
        GRANTED,
        /** The lock has been held for longer than a lease. */
        RENEWED,
        /** It queues between a holder and another waiter. */
        WAITING,
        /** It takes the lock and gives it back without a pause: any moment of both. */
        LOOPING
    }

    private final RuleRun run;
    private final ClientJvm process;
    private final Hold blocking;
    private final Map<Activity, RuleRun.Task<Hold>> successors = new EnumMap<>(Activity.class);
    private long killed;

    private CrashingClient(RuleRun run, ClientJvm process, Hold blocking) {
        this.run = run;
        this.process = process;
        this.blocking = blocking;
    }

    public static CrashingClient prepare(
            RuleRun run, Faults faults, ClientJvm process, LockUser holder, LockUser successor) throws Exception {
        Hold blocking = holder.tryAcquire(lock(run, process, Activity.WAITING), Timings.longWait())
                .orElseThrow();
        CrashingClient client = new CrashingClient(run, process, blocking);
        client.take(Activity.RENEWED);
        client.successors.put(Activity.RENEWED, run.waiting(successor, client.lock(Activity.RENEWED)));
        if (showsWaiters(faults, client.lock(Activity.WAITING))) {
            process.acquiring(client.lock(Activity.WAITING), Timings.longWait(), null);
            RuleRun.awaitPresent(faults, client.lock(Activity.WAITING), 2);
            client.successors.put(Activity.WAITING, run.waiting(successor, client.lock(Activity.WAITING)));
            RuleRun.awaitPresent(faults, client.lock(Activity.WAITING), 3);
        }
        return client;
    }

    /** The servers of some locks do not: their clients wait without an entry there, so a killed one leaves nothing. */
    private static boolean showsWaiters(Faults faults, String lock) throws Exception {
        try {
            faults.present(lock);
            return true;
        } catch (TestAbortedException e) {
            return false;
        }
    }

    /** The last of the activities, because it keeps the machine busy. */
    public void startLoop() {
        process.looping(LockLoop.on(lock(Activity.LOOPING), Timings.longWait().multipliedBy(2)));
    }

    private static String lock(RuleRun run, ClientJvm process, Activity activity) {
        return run.lock() + "-" + process.name() + "-" + activity;
    }

    private String lock(Activity activity) {
        return lock(run, process, activity);
    }

    private void take(Activity activity) throws Exception {
        assertThat(process.tryAcquire(lock(activity), Timings.longWait()))
                .as("a lock that nobody holds")
                .isPresent();
    }

    public void assertRenews(Duration time) throws Exception {
        requireNonNull(successors.get(Activity.RENEWED))
                .assertStillWaits(time, "the process that holds the lock lives");
    }

    public void kill(LockUser successor) throws Exception {
        take(Activity.GRANTED);
        process.kill();
        killed = System.nanoTime();
        blocking.release();
        successors.put(Activity.GRANTED, run.waiting(successor, lock(Activity.GRANTED)));
        successors.put(Activity.LOOPING, run.waiting(successor, lock(Activity.LOOPING)));
    }

    public void assertTakenOver(Duration limit, MachineLateness lateness) throws Exception {
        for (Map.Entry<Activity, RuleRun.Task<Hold>> successor : successors.entrySet()) {
            Duration left = limit.plus(lateness.allowance()).minusNanos(System.nanoTime() - killed);
            successor
                    .getValue()
                    .within(
                            left.isNegative() ? Duration.ZERO : left,
                            "a lock is still held whose client was killed when it was " + successor.getKey() + ", "
                                    + limit + " ago; the last of these locks")
                    .release();
        }
    }
}
