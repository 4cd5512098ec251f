package io.hasp.conformance.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.Loop;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** A client process that will be killed while it does one of four things with each of four locks, and the heirs of those. */
final class Victim {
    /** What it is doing when it is killed. */
    private enum Step {
        /** The lock was granted just now. */
        GRANTED,
        /** The lock has been held for longer than a lease. */
        RENEWED,
        /** It queues between a holder and another waiter. */
        WAITING,
        /** It takes the lock and gives it back without a pause: any moment of both. */
        LOOPING
    }

    private final Trial trial;
    private final ClientJvm process;
    private final Hold inItsWay;
    private final Map<Step, Trial.Task<Hold>> heirs = new EnumMap<>(Step.class);
    private long killed;

    private Victim(Trial trial, ClientJvm process, Hold inItsWay) {
        this.trial = trial;
        this.process = process;
        this.inItsWay = inItsWay;
    }

    static Victim engage(Trial trial, Faults faults, ClientJvm process, LockUser holder, LockUser heir)
            throws Exception {
        Hold inItsWay = holder.tryAcquire(lock(trial, process, Step.WAITING), Timings.longWait())
                .orElseThrow();
        Victim victim = new Victim(trial, process, inItsWay);
        victim.take(Step.RENEWED);
        victim.heirs.put(Step.RENEWED, trial.waiting(heir, victim.lock(Step.RENEWED)));
        process.acquiring(victim.lock(Step.WAITING), Timings.longWait(), null);
        Trial.awaitPresent(faults, victim.lock(Step.WAITING), 2);
        victim.heirs.put(Step.WAITING, trial.waiting(heir, victim.lock(Step.WAITING)));
        Trial.awaitPresent(faults, victim.lock(Step.WAITING), 3);
        return victim;
    }

    /** The last of the steps, because it keeps the machine busy. */
    void startLoop() {
        process.looping(Loop.on(lock(Step.LOOPING), Timings.longWait().multipliedBy(2)));
    }

    private static String lock(Trial trial, ClientJvm process, Step step) {
        return trial.lock() + "-" + process.name() + "-" + step;
    }

    private String lock(Step step) {
        return lock(trial, process, step);
    }

    private void take(Step step) throws Exception {
        assertThat(process.tryAcquire(lock(step), Timings.longWait()))
                .as("a lock that nobody holds")
                .isPresent();
    }

    void assertRenews(Duration time) throws Exception {
        requireNonNull(heirs.get(Step.RENEWED)).assertStillWaits(time, "the process that holds the lock lives");
    }

    void kill(LockUser heir) throws Exception {
        take(Step.GRANTED);
        process.kill();
        killed = System.nanoTime();
        inItsWay.release();
        heirs.put(Step.GRANTED, trial.waiting(heir, lock(Step.GRANTED)));
        heirs.put(Step.LOOPING, trial.waiting(heir, lock(Step.LOOPING)));
    }

    void assertInherited(Duration limit, Lateness lateness) throws Exception {
        for (Map.Entry<Step, Trial.Task<Hold>> heir : heirs.entrySet()) {
            Duration left = limit.plus(lateness.allowance()).minusNanos(System.nanoTime() - killed);
            heir.getValue()
                    .within(
                            left.isNegative() ? Duration.ZERO : left,
                            "a lock is still held whose client was killed when it was " + heir.getKey() + ", " + limit
                                    + " ago; the last of that")
                    .release();
        }
    }
}
