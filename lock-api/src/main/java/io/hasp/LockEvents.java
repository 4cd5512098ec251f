package io.hasp;

import io.hasp.EventLog.Kind;
import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.machine.Notice;
import io.hasp.spi.LockName;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the events of one client's locks. Logs the events that an operator has to know, without a stack trace: at WARNING if they may
 * cost a lock, and their end at INFO. One line for each event, or for many by {@link EventLog}.
 *
 * <p>Notifies each listener by a {@link ListenerQueue} of its own, so that a listener which blocks delays only its own events.
 */
final class LockEvents {
    private static final String UNCONFIRMED = "could not confirm the release of ";

    private final List<ListenerQueue> listeners;
    private final boolean hasListeners;
    private final EventLog log;

    /**
     * Serves one client.
     *
     * @param executor calls listeners
     * @param soon runs a task on it, a moment later
     */
    LockEvents(List<LockListener> listeners, Executor executor, Executor soon, Timing timing) {
        this.log = new EventLog(timing);
        this.listeners = listeners.stream()
                .map(listener -> new ListenerQueue(listener, executor, soon))
                .toList();
        this.hasListeners = !listeners.isEmpty();
    }

    /** True if a listener may be called on the threads of callers. */
    boolean hasNonBlockingListener() {
        return listeners.stream().anyMatch(ListenerQueue::nonBlocking);
    }

    void accept(Notice notice) {
        if (hasListeners) {
            LockEvent event = eventOf(notice);
            if (event != null) {
                notifyListeners(event);
            }
        }
        report(notice);
    }

    private void report(Notice notice) {
        if (notice instanceof Notice.Suspect n) {
            log.log(
                    Kind.SUSPECT,
                    lease(n.name(), n.token())
                            + " is SUSPECT: it is not confirmed at present, and is good for another "
                            + Duration.ofNanos(n.remaining()).toMillis() + " ms",
                    ofLock(n.name(), n.token()),
                    "");
        } else if (notice instanceof Notice.Confirmed n) {
            log.log(
                    Kind.CONFIRMED,
                    lease(n.name(), n.token()) + " is confirmed: HELD again",
                    ofLock(n.name(), n.token()),
                    "");
        } else if (notice instanceof Notice.Lost n) {
            FlightRecording.lost(n);
            log.log(
                    Kind.LOST,
                    "lost " + lease(n.name(), n.token()) + ": " + n.why(),
                    ofLock(n.name(), n.token()),
                    n.why());
        } else if (notice instanceof Notice.ReleaseGivenUp n) {
            log.log(
                    Kind.RELEASE_GIVEN_UP,
                    "gave up releasing holder " + n.holder().value() + " of lock '" + n.name()
                            + "', which ends with its lease or session: " + n.why(),
                    "holder " + n.holder().value() + " of lock '" + n.name() + "'",
                    String.valueOf(n.why()));
        } else if (notice instanceof Notice.OutageBegan n) {
            log(Level.WARNING, "the lock service fails: " + n.why() + " (logged once, until it answers again)");
        } else if (notice instanceof Notice.OutageEnded n) {
            log(
                    Level.INFO,
                    "the lock service answers again, "
                            + Duration.ofNanos(n.after()).toMillis() + " ms after: " + n.why());
        }
    }

    /** Returns null for a notice that is only logged. */
    private static @Nullable LockEvent eventOf(Notice notice) {
        if (notice instanceof Notice.Acquired n) {
            return new LockEvent.Acquired(n.name().value(), n.token(), Duration.ofNanos(n.waited()));
        } else if (notice instanceof Notice.Released n) {
            return new LockEvent.Released(n.name().value(), n.token(), Duration.ofNanos(n.held()));
        } else if (notice instanceof Notice.HandedOff n) {
            return new LockEvent.HandedOff(n.name().value(), n.token());
        } else if (notice instanceof Notice.Contended n) {
            return new LockEvent.Contended(n.name().value(), Duration.ofNanos(n.waited()));
        } else if (notice instanceof Notice.Waiting n) {
            return new LockEvent.Waiting(n.name().value());
        } else if (notice instanceof Notice.WaitEnded n) {
            return new LockEvent.WaitEnded(n.name().value());
        } else if (notice instanceof Notice.Unavailable n) {
            return new LockEvent.Unavailable(n.name().value(), Duration.ofNanos(n.waited()), n.why());
        } else if (notice instanceof Notice.Renewed n) {
            return new LockEvent.Renewed(
                    n.name().value(), n.token(), Duration.ofNanos(n.remaining()), Duration.ofNanos(n.delay()));
        } else if (notice instanceof Notice.Suspect n) {
            return new LockEvent.Suspect(n.name().value(), n.token(), Duration.ofNanos(n.remaining()));
        } else if (notice instanceof Notice.Lost n) {
            Optional<Duration> held =
                    n.held() == Notice.Lost.ENDED_BEFORE ? Optional.empty() : Optional.of(Duration.ofNanos(n.held()));
            return new LockEvent.Lost(n.name().value(), n.token(), n.why(), held);
        }
        if (notice instanceof Notice.Kept n) {
            return new LockEvent.Kept(n.name().value(), n.token(), Duration.ofNanos(n.atMost()));
        } else if (notice instanceof Notice.Recalled n) {
            return new LockEvent.Recalled(n.name().value(), n.token(), n.inUse());
        }
        return notice instanceof Notice.OutcomeUnknown n
                ? new LockEvent.OutcomeUnknown(n.name().value())
                : null;
    }

    void abandoned(LockName name, long token, String thread) {
        log(
                Level.WARNING,
                "thread '" + thread + "' ended without unlocking lock '" + name
                        + "': it stays locked until its max hold, if it has one");
        if (hasListeners) {
            notifyListeners(new LockEvent.Abandoned(name.value(), token, thread));
        }
    }

    void dropped(LockName name, long token, List<StackTraceElement> place) {
        String where = place.isEmpty()
                ? "where it was acquired is noted for some leases only"
                : "it was acquired at "
                        + place.stream().map(StackTraceElement::toString).collect(Collectors.joining(", "));
        log.log(
                Kind.DROPPED,
                lease(name, token) + " is held, and nobody refers to it, so nobody can release it: it stays locked"
                        + " until its max hold, its fixed lease or the end of its client; " + where,
                ofLock(name, token),
                where);
    }

    /** Logs that a caller goes on without an answer to its release. */
    void releaseUnconfirmed(LockName name, Throwable failure) {
        String subject = "lock '" + name + "'";
        String why = String.valueOf(failure.getMessage());
        String unconfirmed = UNCONFIRMED + subject + ": ";
        log.log(
                Kind.RELEASE_UNCONFIRMED,
                why.startsWith(unconfirmed) ? why : unconfirmed + why,
                subject,
                why.startsWith(unconfirmed) ? why.substring(unconfirmed.length()) : why);
    }

    /** Delivers events at the end of a caller's call, on its thread. */
    void deliverWaiting() {
        if (hasListeners) {
            listeners.forEach(ListenerQueue::deliverWaiting);
        }
    }

    /** Logs the events that were gathered until now; the client ends. */
    void end() {
        deliverWaiting();
        log.flush();
    }

    void waitsForItself(LockName name, String thread) {
        log(
                Level.WARNING,
                "thread '" + thread + "' waits for lock '" + name
                        + "', whose lease it took itself and which is still held:"
                        + " unless another thread releases it, this wait is in vain");
    }

    /** Formats a lease for all messages. */
    static String lease(LockName name, long token) {
        return "the lease of " + ofLock(name, token);
    }

    private static String ofLock(LockName name, long token) {
        return "lock '" + name + "' with " + token(token);
    }

    /** Formats a fencing token, with the number behind it that an operator finds on the server. */
    static String token(long token) {
        return "token " + token + " (" + FencingTokens.serverToken(token) + " on the server)";
    }

    private static void log(Level level, String line) {
        LogQueue.log(level, EventLog.oneLine(line));
    }

    private void notifyListeners(LockEvent event) {
        for (ListenerQueue listener : listeners) {
            listener.add(event);
        }
    }
}
