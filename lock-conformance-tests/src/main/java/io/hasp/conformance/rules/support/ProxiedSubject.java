package io.hasp.conformance.rules.support;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import java.time.Duration;

/**
 * A lock whose clients reach their server through a proxy.
 *
 * @param proxy can hold, drop, delay and cut the traffic; owned by this
 * @param subject the lock through the proxy; its name is the one of the adopter's own subject
 * @param lease the longest time that its clients may consider a lock held without an answer: several times
 *     {@link Timings#lease()}, so that there is time to reconnect within it
 */
public record ProxiedSubject(FaultProxy proxy, LockSubject subject, Duration lease) implements AutoCloseable {

    @Override
    public void close() {
        proxy.close();
    }
}
