package io.hasp.conformance.random;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientClosedException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One thread of a run: does its steps one after the other, is interrupted as planned, and judges what calls throw. */
final class Worker implements Runnable {
    /** Of a short lease nothing may be left when it is granted: rules LE11 and LE12. */
    private static final List<String> USED_UP =
            List.of("the grant arrived after its validity", "nothing is left of the lease");

    final Journal journal;
    final Thread thread;

    private final Run run;
    private final ClientSlot slot;
    private final int index;
    private int present;
    private int interrupts;

    Worker(Run run, ClientSlot slot, int index) {
        this.run = run;
        this.slot = slot;
        this.index = index;
        this.journal = new Journal("t" + index, run.zero);
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
            for (Step step : run.plan.steps(index)) {
                rest(step);
                perform(step);
            }
        } catch (RuntimeException | Error e) {
            run.broken("thread t" + index + " ended with " + e);
        }
    }

    private void rest(Step step) {
        pause(step.pause().toNanos());
        if (step.together()) {
            long beat = Plan.BEAT.toNanos();
            pause(beat - (System.nanoTime() - run.zero) % beat);
        }
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void perform(Step step) {
        Turn turn = new Turn(run, step, slot, "t" + index);
        int number = begin();
        Journal.Entry entry = journal.begin(turn.client().name, step.words());
        step.interrupt()
                .ifPresent(after -> run.timer.schedule(() -> interrupt(number), after.toNanos(), TimeUnit.NANOSECONDS));
        boolean taken = false;
        try {
            turn.run(entry);
        } catch (InterruptedException e) {
            taken = true;
            entry.note("interrupted");
            run.count("interrupted");
        } catch (Exception | Error e) {
            entry.note(chain(e));
            judge(step, turn, e);
        } finally {
            end(step, taken);
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
    private synchronized void end(Step step, boolean taken) {
        present++;
        boolean kept = Thread.interrupted();
        if (interrupts > 0 && !kept && !taken) {
            run.broken("an interrupt during the call was swallowed: t" + index + ", " + step.words());
        } else if (interrupts == 0 && (kept || taken)) {
            run.broken("an interrupt that nobody sent: t" + index + ", " + step.words());
        }
    }

    private void judge(Step step, Turn turn, Throwable failure) {
        Optional<String> reason = excuse(turn, failure);
        if (reason.isPresent()) {
            run.count(reason.get());
        } else {
            run.broken("t" + index + " on " + turn.client().name + ", " + step.words() + ": " + chain(failure));
        }
    }

    /** Why a failure is one that the API announces; empty if it is not. */
    private Optional<String> excuse(Turn turn, Throwable failure) {
        if (failure instanceof ClientClosedException) {
            return turn.client().closing() ? Optional.of("closed under a call") : Optional.empty();
        }
        if (!(failure instanceof BackendUnavailableException)) {
            return Optional.empty();
        }
        String message = String.valueOf(failure.getMessage());
        if (turn.client().closing()) {
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
