package io.hasp.cli;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command under a lease, and stops it before the lease ends. One thread does all of it, and receives from the others: the end of
 * the command, signals to this process, changes of the lease.
 */
final class LockedRun {
    private static final int TICKS_OF_A_LEASE = 20;
    private static final Duration LONGEST_TICK = Duration.ofMillis(500);

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Lease lease;
    private final PrintWriter err;
    private final String name;

    /** The longest time that was left: the length of the lease, as nearly as a client knows it. */
    private Duration longest;

    private StopTimes times;
    private boolean suspect;
    private @Nullable String stopped;
    private boolean shellKilled;

    private sealed interface Event permits Exited, Signalled, Changed {}

    private record Exited(int code) implements Event {}

    private record Signalled(String name) implements Event {}

    private record Changed() implements Event {}

    LockedRun(Lease lease, PrintWriter err) {
        this.lease = lease;
        this.err = err;
        this.name = "'" + Printable.text(lease.name()) + "'";
        this.longest = lease.remaining();
        this.times = StopTimes.of(longest);
    }

    /** Returns the exit code of hasp. */
    int run(List<String> command, Signals signals) throws InterruptedException {
        Map<String, String> environment =
                Map.of("HASP_LOCK", lease.name(), "HASP_TOKEN", Long.toString(lease.fencingToken()));
        signals.to(signal -> events.add(new Signalled(signal.name())));
        try (GuardedCommand guarded =
                GuardedCommand.start(command, environment, longest.minus(times.begin()), times.grace())) {
            var unused = guarded.exit().thenAccept(code -> events.add(new Exited(code)));
            lease.onChange(Runnable::run, state -> events.add(new Changed()));
            return finished(await(guarded), guarded.stopped());
        } catch (IOException e) {
            err.println("hasp: the command can't be run: " + Printable.text(String.valueOf(e.getMessage())));
            return Exit.CANNOT_RUN;
        }
    }

    private int await(GuardedCommand guarded) throws InterruptedException, IOException {
        while (true) {
            Event event = events.poll(tick().toNanos(), TimeUnit.NANOSECONDS);
            if (event instanceof Exited exited) {
                return guarded.ended() ? exited.code() : withoutShell(guarded, exited.code());
            }
            if (event instanceof Signalled signalled) {
                guarded.signal(signalled.name());
            }
            requireWatcher(guarded);
            if (stopped == null) {
                watch(guarded);
            }
        }
    }

    private void requireWatcher(GuardedCommand guarded) throws IOException {
        if (guarded.watched()) {
            return;
        }
        err.println("hasp: the process that watches the command was killed; another one watches it now");
        guarded.watchAgain(lease.remaining().minus(times.begin()), times.grace());
        if (stopped != null) {
            guarded.stop(StopTimes.shorter(times.grace(), lease.remaining().minus(times.margin())));
        }
    }

    /** Only the watcher is left to stop the group. The lock is held until then. */
    private int withoutShell(GuardedCommand guarded, int code) throws InterruptedException, IOException {
        err.println("hasp: the shell beside the command was killed; the command gets SIGTERM, and SIGKILL after "
                + times.grace().toMillis() + " ms");
        shellKilled = true;
        requireWatcher(guarded);
        guarded.stop(times.grace());
        for (int i = 0; i < TICKS_OF_A_LEASE && !guarded.ended(); i++) {
            events.poll(tick().toNanos(), TimeUnit.NANOSECONDS);
        }
        if (!guarded.ended()) {
            err.println("hasp: the command may still run: it was not seen to end");
        }
        return code;
    }

    private Duration tick() {
        return StopTimes.shorter(longest.dividedBy(TICKS_OF_A_LEASE), LONGEST_TICK);
    }

    private void watch(GuardedCommand guarded) throws IOException {
        LeaseState state = lease.state();
        Duration left = lease.remaining();
        if (left.compareTo(longest) > 0) {
            longest = left;
            times = StopTimes.of(longest);
        }
        Duration patience = left.minus(times.begin());
        if (state != LeaseState.HELD && state != LeaseState.SUSPECT) {
            stop(guarded, "was lost");
        } else if (patience.isNegative()) {
            stop(guarded, "could not be confirmed in time");
        } else {
            guarded.beat(patience, times.grace());
            say(state == LeaseState.SUSPECT, patience);
        }
    }

    private void stop(GuardedCommand guarded, String why) throws IOException {
        stopped = why;
        err.println("hasp: lock " + name + " " + why + reason() + "; the command gets SIGTERM, and SIGKILL after "
                + times.grace().toMillis() + " ms");
        guarded.stop(times.grace());
    }

    private String reason() {
        try {
            lease.ensureHeld();
            return "";
        } catch (LeaseLostException e) {
            return " (" + Printable.text(String.valueOf(e.getMessage())) + ")";
        }
    }

    private void say(boolean nowSuspect, Duration patience) {
        if (nowSuspect && !suspect) {
            err.println("hasp: lock " + name + " can't be confirmed at present; the command is stopped in "
                    + patience.toMillis() + " ms unless that changes");
        } else if (suspect && !nowSuspect) {
            err.println("hasp: lock " + name + " is confirmed again");
        }
        suspect = nowSuspect;
    }

    /** The shell beside the command stops it alone if this process was paused. */
    private int finished(int code, boolean groupStopped) {
        boolean lost = lease.state() == LeaseState.LOST;
        if (shellKilled && !lost) {
            return code;
        }
        if (stopped == null && (lost || groupStopped)) {
            err.println("hasp: lock " + name
                    + (lost ? " was lost" + reason() : " was not confirmed in time: hasp was paused")
                    + (groupStopped ? "; the command was stopped" : "; the command has ended with " + code));
        }
        return stopped != null || lost || groupStopped ? Exit.LOST : code;
    }
}
