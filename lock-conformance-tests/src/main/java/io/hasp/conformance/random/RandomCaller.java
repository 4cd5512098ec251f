package io.hasp.conformance.random;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One thread of a run: does its calls one after the other, is interrupted as planned, and judges what calls throw. */
final class RandomCaller implements Runnable {
    /** Of a short lease nothing may be left when it is granted: rules LE11 and LE12. */
    private static final List<String> USED_UP =
            List.of("the grant arrived after its validity", "nothing is left of the lease");

    final CallLog calls;
    final Thread thread;

    private final RandomRun run;
    private final ClientSlot slot;
    private final int index;
    private int present;
    private int interrupts;

    RandomCaller(RandomRun run, ClientSlot slot, int index) {
        this.run = run;
        this.slot = slot;
        this.index = index;
        this.calls = new CallLog("t" + index, run.zero);
        this.thread = run.plan.virtual() ? virtual(this) : new Thread(this);
        thread.setName("random-t" + index);
        thread.setDaemon(true);
    }

    /** A virtual thread, where there are any: from JDK 21 on. */
    private static Thread virtual(Runnable task) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, task);
        } catch (ReflectiveOperationException noneHere) {
            return new Thread(task);
        }
    }

    @Override
    public void run() {
        try {
            for (PlannedCall planned : run.plan.calls(index)) {
                rest(planned);
                perform(planned);
            }
        } catch (RuntimeException | Error e) {
            run.broken("thread t" + index + " ended with " + e);
        }
    }

    private void rest(PlannedCall planned) {
        pause(planned.pause().toNanos());
        if (planned.together()) {
            long beat = CallPlan.BEAT.toNanos();
            pause(beat - (System.nanoTime() - run.zero) % beat);
        }
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void perform(PlannedCall planned) {
        CallExecution execution = new CallExecution(run, planned, slot, "t" + index);
        int number = begin();
        CallLog.Entry entry = calls.begin(execution.client().name, planned.words());
        planned.interrupt()
                .ifPresent(after -> run.timer.schedule(() -> interrupt(number), after.toNanos(), TimeUnit.NANOSECONDS));
        boolean taken = false;
        try {
            execution.run(entry);
        } catch (InterruptedException e) {
            taken = true;
            entry.note("interrupted");
            run.count("interrupted");
        } catch (Exception | Error e) {
            entry.note(chain(e));
            judge(planned, execution, e);
        } finally {
            end(planned, taken);
            entry.end();
        }
    }

    private synchronized int begin() {
        interrupts = 0;
        return ++present;
    }

    private synchronized void interrupt(int number) {
        if (number == present) {
            interrupts++;
            thread.interrupt();
        }
    }

    /** An interrupt ends the call, or is kept. */
    private synchronized void end(PlannedCall planned, boolean taken) {
        present++;
        boolean kept = Thread.interrupted();
        if (interrupts > 0 && !kept && !taken) {
            run.broken("an interrupt during the call was swallowed: t" + index + ", " + planned.words());
        } else if (interrupts == 0 && (kept || taken)) {
            run.broken("an interrupt that nobody sent: t" + index + ", " + planned.words());
        }
    }

    private void judge(PlannedCall planned, CallExecution execution, Throwable failure) {
        Optional<String> reason = excuse(execution, failure);
        if (reason.isPresent()) {
            run.count(reason.get());
        } else {
            run.broken("t" + index + " on " + execution.client().name + ", " + planned.words() + ": " + chain(failure));
        }
    }

    /** Why a failure is one that the API announces; empty if it is not. */
    private Optional<String> excuse(CallExecution execution, Throwable failure) {
        if (failure instanceof ClientClosedException) {
            return execution.client().closing() ? Optional.of("closed under a call") : Optional.empty();
        }
        if (!(failure instanceof BackendException)) {
            return Optional.empty();
        }
        String message = String.valueOf(failure.getMessage());
        if (execution.client().closing()) {
            return Optional.of("unavailable while closing");
        } else if (message.startsWith("could not lock") && USED_UP.stream().anyMatch(message::contains)) {
            return Optional.of("granted too late for the lease");
        }
        return Optional.empty();
    }

    static String chain(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            text.append(" <- ").append(cause);
        }
        return text.toString();
    }
}
