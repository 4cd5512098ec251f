package io.hasp;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * What happens to the locks of one client. Logs what an operator has to know, one line for each event, without a stack trace:
 * what may cost somebody a lock is a warning, the end of such a state an information.
 *
 * <p>Tells each listener by a {@link ListenerQueue} of its own, so that one which blocks holds up only its own news.
 */
final class LockEvents {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final List<ListenerQueue> listeners;
    private final boolean heard;

    LockEvents(List<LockListener> listeners, Executor executor) {
        this.listeners = listeners.stream()
                .map(listener -> new ListenerQueue(listener, executor))
                .toList();
        this.heard = !listeners.isEmpty();
    }

    void acquired(LockName name, long token, long waited) {
        if (heard) {
            tell(new LockEvent.Acquired(name.value(), token, Duration.ofNanos(waited)));
        }
    }

    void contended(LockName name, long waited) {
        if (heard) {
            tell(new LockEvent.Contended(name.value(), Duration.ofNanos(waited)));
        }
    }

    void handedOver(LockName name, long token) {
        if (heard) {
            tell(new LockEvent.HandedOver(name.value(), token));
        }
    }

    void renewed(LockName name, long token, long remaining) {
        if (heard) {
            tell(new LockEvent.Renewed(name.value(), token, Duration.ofNanos(remaining)));
        }
    }

    void suspect(LockName name, long token, Duration left) {
        log(
                Level.WARNING,
                lease(name, token) + " is SUSPECT: it can't be confirmed at present, and is good for another "
                        + left.toMillis() + " ms");
        if (heard) {
            tell(new LockEvent.Suspect(name.value(), token, left));
        }
    }

    /** A lease that was suspect is held after all. */
    void confirmed(LockName name, long token) {
        log(Level.INFO, lease(name, token) + " is confirmed: HELD again");
    }

    void lost(LockName name, long token, String why) {
        log(Level.WARNING, "lost " + lease(name, token) + ": " + why);
        if (heard) {
            tell(new LockEvent.Lost(name.value(), token, why));
        }
    }

    void released(LockName name, long token, long held) {
        if (heard) {
            tell(new LockEvent.Released(name.value(), token, Duration.ofNanos(held)));
        }
    }

    void outcomeUnknown(LockName name) {
        if (heard) {
            tell(new LockEvent.OutcomeUnknown(name.value()));
        }
    }

    void abandoned(LockName name, long token, String thread) {
        log(
                Level.WARNING,
                "thread '" + thread + "' ended without unlocking lock '" + name
                        + "': it stays locked until its max hold, if it has one");
        if (heard) {
            tell(new LockEvent.Abandoned(name.value(), token, thread));
        }
    }

    void dropped(LockName name, long token, List<StackTraceElement> place) {
        String where = place.isEmpty()
                ? "where it was acquired is noted for some leases only"
                : "it was acquired at "
                        + place.stream().map(StackTraceElement::toString).collect(Collectors.joining(", "));
        log(
                Level.WARNING,
                lease(name, token) + " is held, and nobody refers to it, so nobody can release it: it stays locked"
                        + " until its max hold, its fixed lease or the end of its client; " + where);
    }

    void waitsForItself(LockName name, String thread) {
        log(
                Level.WARNING,
                "thread '" + thread + "' waits for lock '" + name
                        + "', whose lease it took itself and which is still held:"
                        + " unless another thread releases it, this wait is in vain");
    }

    void outageBegan(String why) {
        log(Level.WARNING, "the lock service fails: " + why + " (logged once, until it answers again)");
    }

    void outageEnded(String why, Duration after) {
        log(Level.INFO, "the lock service answers again, " + after.toMillis() + " ms after: " + why);
    }

    void releaseGivenUp(LockName name, HolderId holder, String why) {
        log(
                Level.WARNING,
                "gave up releasing holder " + holder.value() + " of lock '" + name
                        + "', which ends with its lease or session: " + why);
    }

    /** A lease as all messages name it. */
    static String lease(LockName name, long token) {
        return "the lease of lock '" + name + "' with " + token(token);
    }

    /** A fencing token, and the number behind it that an operator finds on the server. */
    static String token(long token) {
        return "token " + token + " (" + Tenure.serverFloor(token) + " on the server)";
    }

    /** Names and messages of servers may hold line breaks, which would forge lines of a log. */
    private static void log(Level level, String line) {
        if (LOG.isLoggable(level)) {
            LOG.log(level, line.replaceAll("\\p{Cntrl}+", " "));
        }
    }

    private void tell(LockEvent event) {
        for (ListenerQueue listener : listeners) {
            listener.tell(event);
        }
    }
}
