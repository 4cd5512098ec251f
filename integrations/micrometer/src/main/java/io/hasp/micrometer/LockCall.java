package io.hasp.micrometer;

import io.hasp.Lease;
import io.hasp.LeaseAction;
import io.hasp.LeaseFunction;
import io.hasp.LockBusyException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One observed call; its observation begins with the constructor. The outcome becomes a key only at the end. So the
 * meters that handlers make earlier, for the event and for the calls in progress, have no such tag.
 */
final class LockCall {
    private static final Observation.Event ACQUIRED = Observation.Event.of("lock.acquired");

    private final Observation observation;
    private String tokens = "";
    private String outcome = "contended";

    LockCall(String lock, ObservationRegistry registry) {
        observation = Observation.createNotStarted("hasp.lock.call", registry)
                .contextualName("lock")
                .highCardinalityKeyValue("lock.name", lock)
                .start();
    }

    Observation.Scope open() {
        return observation.openScope();
    }

    <T, X extends Exception> LeaseFunction<T, X> noting(LeaseFunction<T, X> work) {
        if (work == null) {
            // The lock refuses it.
            return work;
        }
        return lease -> {
            acquired(lease);
            return work.apply(lease);
        };
    }

    <X extends Exception> LeaseAction<X> noting(LeaseAction<X> work) {
        if (work == null) {
            return work;
        }
        return lease -> {
            acquired(lease);
            work.run(lease);
        };
    }

    /** For work that ends later, on another thread. */
    <T> LeaseFunction<T, Exception> scoped(LeaseFunction<? extends T, ? extends Exception> work) {
        return lease -> {
            acquired(lease);
            try (Observation.Scope scope = open()) {
                return work.apply(lease);
            }
        };
    }

    /** Called for each of several locks. */
    void acquired(Lease lease) {
        String token = Long.toString(lease.fencingToken());
        boolean first = tokens.isEmpty();
        tokens = first ? token : tokens + ", " + token;
        outcome = "acquired";
        observation.highCardinalityKeyValue("lock.token", tokens);
        if (first) {
            observation.event(ACQUIRED);
        }
    }

    void failed(Throwable failure) {
        boolean answered = outcome.equals("acquired") || failure instanceof LockBusyException;
        outcome = answered ? outcome : "failed";
        observation.error(failure);
    }

    void end(@Nullable Throwable failure) {
        if (failure != null) {
            failed(failure);
        }
        end();
    }

    void end() {
        observation.lowCardinalityKeyValue("outcome", outcome).stop();
    }
}
