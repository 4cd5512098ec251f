package io.hasp.evaluation.measure;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Watches all holds of one lock and counts what must never happen. It synchronises nothing that the lock should. */
final class Witness {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong lastToken = new AtomicLong(Long.MIN_VALUE);
    private final LongAdder holds = new LongAdder();
    private final LongAdder overlaps = new LongAdder();
    private final LongAdder staleTokens = new LongAdder();
    private final LongAdder lostHolds = new LongAdder();

    void entered(OptionalLong token) {
        holds.increment();
        if (inside.incrementAndGet() > 1) {
            overlaps.increment();
        }
        if (token.isPresent() && lastToken.getAndSet(token.getAsLong()) >= token.getAsLong()) {
            staleTokens.increment();
        }
    }

    /** To be called before the release is sent: the next holder may enter from then on. */
    void leaving() {
        inside.decrementAndGet();
    }

    void released(boolean wasHeld) {
        if (!wasHeld) {
            lostHolds.increment();
        }
    }

    Safety seen() {
        return new Safety(holds.sum(), overlaps.sum(), staleTokens.sum(), lostHolds.sum());
    }
}
