package io.hasp.engine.guard;

import io.hasp.engine.machine.Notice;
import io.hasp.engine.threads.Failures;
import io.hasp.spi.BackendFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects outages of the backend, for the log: one event when it fails and one when it answers again, however many calls fail in between. A
 * server may refuse one kind of call and answer the others: out of memory, it refuses new locks only. So an outage ends by an answer to the
 * kind of call that failed first, or by any answer when no call has failed for a while.
 */
public final class Outages {
    private static final long QUIET = TimeUnit.SECONDS.toNanos(10);

    /** The kinds of calls. */
    enum Call {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    private record Outage(Call call, String why, long began, long lastFailure) {}

    private final Consumer<Notice> notices;
    private final LongSupplier clock;
    private final AtomicReference<@Nullable Outage> present = new AtomicReference<>();

    /** The clock counts nanoseconds from any point of time, and never overflows. */
    public Outages(Consumer<Notice> notices, LongSupplier clock) {
        this.notices = notices;
        this.clock = clock;
    }

    /** Null if the call was answered. Only a failure that may pass by itself is an outage: wrong credentials and foreign data are not. */
    void ended(Call call, @Nullable Throwable thrown) {
        Throwable cause = thrown == null ? null : Failures.causeOf(thrown);
        if (cause == null) {
            answered(call);
        } else if (cause instanceof BackendFailure failure && failure.kind() == BackendFailure.Kind.UNAVAILABLE) {
            failed(call, String.valueOf(failure.getMessage()));
        }
    }

    private void answered(Call call) {
        Outage outage = present.get();
        if (outage != null && (outage.call() == call || clock.getAsLong() - outage.lastFailure() > QUIET)) {
            if (present.compareAndSet(outage, null)) {
                notices.accept(new Notice.OutageEnded(outage.why(), clock.getAsLong() - outage.began()));
            }
        }
    }

    private void failed(Call call, String why) {
        long now = clock.getAsLong();
        Outage outage = present.get();
        if (outage != null) {
            present.compareAndSet(outage, new Outage(outage.call(), outage.why(), outage.began(), now));
        } else if (present.compareAndSet(null, new Outage(call, why, now, now))) {
            notices.accept(new Notice.OutageBegan(why));
        }
    }
}
