package io.hasp;

import io.hasp.FlightRecording.AcquireSpan;
import io.hasp.FlightRecording.HoldSpan;
import io.hasp.FlightRecording.WaitSpan;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.spi.LockName;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Declares the kinds of JFR events. Used through {@link FlightRecording} only, since the JVM may have no JFR. One event of each kind is
 * kept to ask if the kind is enabled: an event for each question would be an allocation where the compiler does not see through it.
 */
@SuppressWarnings("UnusedVariable") // The recorder reads them.
final class FlightEvents {
    private static final String SHORTEST = "10 ms";
    private static final Acquire ACQUIRE = new Acquire();
    private static final Wait WAIT = new Wait();
    private static final Hold HOLD = new Hold();
    private static final Loss LOSS = new Loss();

    private FlightEvents() {}

    static @Nullable AcquireSpan acquire() {
        if (!ACQUIRE.isEnabled()) {
            return null;
        }
        Acquire event = new Acquire();
        event.begin();
        return event;
    }

    static @Nullable WaitSpan waiting() {
        return WAIT.isEnabled() ? new Wait() : null;
    }

    static @Nullable HoldSpan hold() {
        if (!HOLD.isEnabled()) {
            return null;
        }
        Hold event = new Hold();
        event.begin();
        return event;
    }

    static void lost(Notice.Lost notice) {
        if (LOSS.isEnabled()) {
            Loss event = new Loss();
            event.lock = notice.name().value();
            event.fencingToken = notice.token();
            event.reason = notice.why();
            event.held = Math.max(0, notice.held());
            event.commit();
        }
    }

    @Name("io.hasp.LockAcquire")
    @Label("Lock Acquire")
    @Category("Hasp")
    @Description("From the call for a lock to its outcome")
    @Threshold(SHORTEST)
    private static final class Acquire extends Event implements AcquireSpan {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Outcome")
        @Description("acquired, contended, unavailable, cancelled, closed if its client was, or lost, of several locks")
        private @Nullable String outcome;

        @Label("Fencing Token")
        @Description("Zero without a lease")
        private long fencingToken;

        @Override
        public void end(LockName name, Outcome found) {
            end();
            if (shouldCommit()) {
                lock = name.value();
                outcome = word(found);
                fencingToken = found instanceof Outcome.Acquired acquired
                        ? acquired.lease().token()
                        : 0;
                commit();
            }
        }

        @Override
        public void endAll(String names, boolean acquired, @Nullable Outcome refusal) {
            end();
            if (shouldCommit()) {
                lock = names;
                outcome = acquired ? "acquired" : refusal == null ? "lost" : word(refusal);
                commit();
            }
        }

        private static String word(Outcome found) {
            if (found instanceof Outcome.Acquired) {
                return "acquired";
            } else if (found instanceof Outcome.Contended) {
                return "contended";
            } else if (found instanceof Outcome.Failed) {
                return "unavailable";
            }
            return found instanceof Outcome.Closed ? "closed" : "cancelled";
        }
    }

    @Name("io.hasp.LockWait")
    @Label("Lock Wait")
    @Category("Hasp")
    @Description("A thread sleeps until it has a lock, or gives up")
    @Threshold(SHORTEST)
    private static final class Wait extends Event implements WaitSpan {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Held in This Client")
        @Description("Whether another caller of this client had the lock when the wait began")
        private boolean heldInThisClient;

        private transient boolean begun;

        @Override
        public void begin(boolean heldHere) {
            if (!begun) {
                begun = true;
                heldInThisClient = heldHere;
                begin();
            }
        }

        @Override
        public void end(String name) {
            if (begun) {
                end();
                lock = name;
                commit();
            }
        }
    }

    @Name("io.hasp.LockHold")
    @Label("Lock Hold")
    @Category("Hasp")
    @Description("From the beginning of a lease until its holder gives it back")
    @Threshold(SHORTEST)
    private static final class Hold extends Event implements HoldSpan {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Fencing Token")
        private long fencingToken;

        @Label("Lost")
        @Description("Whether the lease had been lost by then, or the release found that")
        private boolean lost;

        @Override
        public void end(LockName name, long token, boolean wasLost) {
            end();
            if (shouldCommit()) {
                lock = name.value();
                fencingToken = token;
                lost = wasLost;
                commit();
            }
        }
    }

    @Name("io.hasp.LockLoss")
    @Label("Lock Loss")
    @Category("Hasp")
    @Description("A lease was lost")
    @StackTrace(false)
    private static final class Loss extends Event {
        @Label("Lock")
        private @Nullable String lock;

        @Label("Fencing Token")
        private long fencingToken;

        @Label("Reason")
        private @Nullable String reason;

        @Label("Held")
        @Description("For how long; zero if a release found the loss")
        @Timespan(Timespan.NANOSECONDS)
        private long held;
    }
}
