package io.hasp.conformance.rules;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.faults.FaultProxy;

/**
 * A lock whose clients reach their server through a proxy.
 *
 * @param proxy what can be held, dropped, delayed and cut; owned by the wire
 * @param subject the lock through it; its name is the one that the adopter's own subject has
 */
public record Wire(FaultProxy proxy, LockSubject subject) implements AutoCloseable {

    @Override
    public void close() {
        proxy.close();
    }
}
