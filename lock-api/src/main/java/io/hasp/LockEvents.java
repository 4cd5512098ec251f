package io.hasp;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the locks of one client. Logs what an operator has to know, one line for each event, without a stack trace:
 * what may cost somebody a lock is a warning, the end of such a state an information.
 *
 * <p>Tells the listener, if there is one: in the order of the events, one at a time, on threads that nothing else of the engine
 * needs, so that a listener that blocks holds up only its own news.
 */
final class LockEvents {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final @Nullable LockListener listener;
    private final Executor executor;
    private final Queue<Consumer<LockListener>> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean telling = new AtomicBoolean();

    LockEvents(Optional<LockListener> listener, Executor executor) {
        this.listener = listener.orElse(null);
        this.executor = executor;
    }

    void acquired(LockName name, long waited, long token) {
        if (listener != null) {
            tell(told -> told.acquired(name.value(), Duration.ofNanos(waited), token));
        }
    }

    void contended(LockName name, long waited) {
        if (listener != null) {
            tell(told -> told.contended(name.value(), Duration.ofNanos(waited)));
        }
    }

    void handedOver(LockName name, long token) {
        if (listener != null) {
            tell(told -> told.handedOver(name.value(), token));
        }
    }

    void renewed(LockName name, long remaining) {
        if (listener != null) {
            tell(told -> told.renewed(name.value(), Duration.ofNanos(remaining)));
        }
    }

    void suspect(LockName name, Duration left) {
        log(
                Level.WARNING,
                "the lease of lock '" + name
                        + "' is SUSPECT: it can't be confirmed at present, and is good for another " + left.toMillis()
                        + " ms");
        if (listener != null) {
            tell(told -> told.suspect(name.value()));
        }
    }

    /** A lease that was suspect is held after all. */
    void confirmed(LockName name) {
        log(Level.INFO, "the lease of lock '" + name + "' is confirmed: HELD again");
    }

    void lost(LockName name, String why) {
        log(Level.WARNING, "lost the lease of lock '" + name + "': " + why);
        if (listener != null) {
            tell(told -> told.lost(name.value(), why));
        }
    }

    void released(LockName name, long held) {
        if (listener != null) {
            tell(told -> told.released(name.value(), Duration.ofNanos(held)));
        }
    }

    void outcomeUnknown(LockName name) {
        if (listener != null) {
            tell(told -> told.outcomeUnknown(name.value()));
        }
    }

    void abandoned(LockName name, String thread) {
        log(
                Level.WARNING,
                "thread '" + thread + "' ended without unlocking lock '" + name
                        + "': it stays locked until its max hold, if it has one");
        if (listener != null) {
            tell(told -> told.abandoned(name.value(), thread));
        }
    }

    void dropped(LockName name, List<StackTraceElement> place) {
        String where = place.isEmpty()
                ? "where it was acquired is noted for some leases only"
                : "it was acquired at "
                        + place.stream().map(StackTraceElement::toString).collect(Collectors.joining(", "));
        log(
                Level.WARNING,
                "a lease of lock '" + name
                        + "' is held, and nobody refers to it, so nobody can release it: it stays locked"
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

    /** Names and messages of servers may hold line breaks, which would forge lines of a log. */
    private static void log(Level level, String line) {
        if (LOG.isLoggable(level)) {
            LOG.log(level, line.replaceAll("\\p{Cntrl}+", " "));
        }
    }

    private void tell(Consumer<LockListener> event) {
        events.add(event);
        if (!telling.get()) {
            executor.execute(this::tellAll);
        }
    }

    private void tellAll() {
        while (!events.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (Consumer<LockListener> event = events.poll(); event != null; event = events.poll()) {
                    tellOne(event);
                }
            } finally {
                telling.set(false);
            }
        }
    }

    private void tellOne(Consumer<LockListener> event) {
        try {
            event.accept(Objects.requireNonNull(listener));
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "a lock listener failed", e);
        }
    }
}
