package io.hasp;

import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases holders of which something may be left on the server (given up, outcome unknown, lost), in the background,
 * until it is answered. Gives up when the lease that was asked for must have ended by itself; a session may last as long as
 * the client, and so does the withdrawal.
 */
final class Withdrawals {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);
    /** A request may be on its way for a while before its lease begins. */
    private static final long LONGEST_WAY = TimeUnit.MINUTES.toNanos(5);

    private final Engine engine;
    /** One holder may be withdrawn twice at the same time, and each counts. */
    private final AtomicInteger open = new AtomicInteger();

    private volatile boolean ended;

    Withdrawals(Engine engine) {
        this.engine = engine;
    }

    void withdraw(Claim claim) {
        withdraw(claim, claim.lease());
    }

    /**
     * Withdraws a holder.
     *
     * @param lease the longest lease that the server may have been asked for
     */
    void withdraw(Claim claim, Duration lease) {
        open.incrementAndGet();
        boolean session = engine.backend.capabilities().enforcement() == Capabilities.Enforcement.SESSION;
        long until = session ? Durations.FOREVER : engine.now() + Durations.nanos(lease) + LONGEST_WAY;
        engine.execute(() -> attempt(claim, until, FIRST_PAUSE));
    }

    /** Whether nothing is left to withdraw. */
    boolean settled() {
        return open.get() == 0;
    }

    /** No more tries: what is left ends with its lease or session. */
    void end() {
        ended = true;
    }

    private void settle() {
        open.decrementAndGet();
        engine.queues.changed();
    }

    private void attempt(Claim claim, long until, long pause) {
        engine.backend.release(claim).whenComplete((released, failure) -> {
            if (failure == null) {
                settle();
            } else if (ended || engine.now() > until) {
                settle();
                engine.events.releaseGivenUp(
                        claim.name(),
                        claim.holder(),
                        String.valueOf(Engine.failureOf(failure).getMessage()));
            } else {
                engine.after(pause, () -> attempt(claim, until, Math.min(pause * 2, LONGEST_PAUSE)));
            }
        });
    }
}
