package io.hasp;

import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the listener, if there is one, and keeps its failures away from the engine. */
final class LockEvents {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final @Nullable LockListener listener;

    LockEvents(Optional<LockListener> listener) {
        this.listener = listener.orElse(null);
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

    void suspect(LockName name) {
        if (listener != null) {
            tell(told -> told.suspect(name.value()));
        }
    }

    void lost(LockName name, String why) {
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
        if (listener != null) {
            tell(told -> told.abandoned(name.value(), thread));
        }
    }

    private void tell(Consumer<LockListener> event) {
        try {
            event.accept(java.util.Objects.requireNonNull(listener));
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.WARNING, "a lock listener failed", e);
        }
    }
}
