package io.hasp.conformance.rules.support;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import java.time.Duration;

/**
 * A lock whose clients reach their server through a proxy.
 *
 * @param proxy what can be held, dropped, delayed and cut; owned by this
 * @param subject the lock through it; its name is the one that the adopter's own subject has
 * @param lease how long its clients may believe in a lock without hearing of it: several times {@link Timings#lease()}, so
 *     that there is time to connect again within it
 */
public record ProxiedSubject(FaultProxy proxy, LockSubject subject, Duration lease) implements AutoCloseable {

    @Override
    public void close() {
        proxy.close();
    }
}
