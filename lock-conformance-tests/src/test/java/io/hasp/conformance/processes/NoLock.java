package io.hasp.conformance.processes;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Says yes to everybody. */
public final class NoLock implements SubjectFactory {

    @Override
    public LockSubject subject(String argument) {
        if (!argument.isEmpty()) {
            throw new IllegalArgumentException("no subject for " + argument);
        }
        return new LockSubject() {
            @Override
            public String name() {
                return "no-lock";
            }

            @Override
            public Set<Claimed> claims() {
                return Set.of();
            }

            @Override
            public LockUser open() {
                return new LockUser() {
                    @Override
                    public Optional<Hold> tryAcquire(String lock, Duration wait) {
                        return Optional.of(() -> true);
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }
}
