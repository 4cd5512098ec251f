package io.hasp.simulator.world;

import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The clock, the choices, the trace and the violation of one run, and the faults that its checks excuse. Not thread-safe. */
public final class World {
    public final Configuration configuration;
    public final ChoiceSequence choices;
    public final @Nullable EventTrace trace;
    private final String[] names;
    private @Nullable Violation violation;
    private long now = Duration.ofSeconds(1).toNanos();
    private long steps;
    private long messageFaults;
    private boolean healed;
    private boolean failuresExpected;
    private boolean lateCopies;

    public World(Configuration configuration, ChoiceSequence choices, @Nullable EventTrace trace) {
        this.configuration = configuration;
        this.choices = choices;
        this.trace = trace;
        this.names = new String[configuration.names()];
        for (int i = 0; i < names.length; i++) {
            names[i] = String.valueOf((char) ('a' + i));
        }
    }

    /** The virtual time, in nanoseconds. */
    public long now() {
        return now;
    }

    public void advance(long nanos) {
        now += nanos;
    }

    /** The name of the lock with that number. */
    public String name(int name) {
        return names[name];
    }

    public void beginStep() {
        steps++;
    }

    /** The number of steps so far. */
    public long steps() {
        return steps;
    }

    /** Ends all faults; from now on steps are made in one order. */
    public void heal() {
        healed = true;
    }

    public boolean healed() {
        return healed;
    }

    /** A call may fail from now on. */
    public void expectFailures() {
        failuresExpected = true;
    }

    public boolean failuresExpected() {
        return failuresExpected;
    }

    /** A message was not simply delivered. */
    public void countMessageFault() {
        messageFaults++;
    }

    public long messageFaults() {
        return messageFaults;
    }

    /** The server has taken a request late or twice, so it may keep a grant that the client does not see. */
    public void noteLateCopy() {
        lateCopies = true;
    }

    public boolean lateCopies() {
        return lateCopies;
    }

    /** Notes a violation. The run ends after the present step even if the engine or a caller catches the exception. */
    public Violation violated(String rule, String message) {
        Violation found = new Violation(rule, message);
        if (violation == null) {
            violation = found;
        }
        return found;
    }

    /** The first violation; null for none. */
    @Nullable
    public Violation violation() {
        return violation;
    }

    /** A short name for a holder id; empty without a trace. */
    public String holder(HolderId holder) {
        return trace == null ? "" : trace.holder(holder);
    }

    /** The text of a reply to a request for a lock; empty without a trace. */
    public String describe(Attempt attempt) {
        return trace == null ? "" : trace.describe(attempt);
    }

    /** The text of a reply to a release; empty without a trace. */
    public String describe(HolderId holder, Released found) {
        return trace == null ? "" : trace.holder(holder) + ": " + found;
    }

    /** Writes a line into the trace, if there is one. */
    public void note(String what) {
        if (trace != null) {
            trace.line(now, "", what);
        }
    }
}
