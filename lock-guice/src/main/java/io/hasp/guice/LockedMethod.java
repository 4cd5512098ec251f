package io.hasp.guice;

import com.google.inject.Provider;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.spi.UriParameters;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** A {@link Locked} method, its annotation understood. */
final class LockedMethod {
    private final String shown;
    private final boolean declaresInterrupt;
    private final NameTemplate name;
    private final Optional<Duration> wait;
    private final LockOptions options;
    private final Provider<LockClient> client;

    /**
     * Understands the annotation.
     *
     * @throws IllegalArgumentException if the template or a duration is wrong
     */
    LockedMethod(Method method, Locked locked, Provider<LockClient> client) {
        this.shown = show(method);
        this.declaresInterrupt = Arrays.stream(method.getExceptionTypes())
                .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class));
        this.name = NameTemplate.of(locked.value(), method);
        this.wait = duration("waitAtMost", locked.waitAtMost());
        if (wait.isPresent() && wait.get().isNegative()) {
            throw new IllegalArgumentException("waitAtMost=" + locked.waitAtMost() + " is negative");
        }
        this.options = options(locked);
        this.client = client;
    }

    private static LockOptions options(Locked locked) {
        Optional<Duration> fixed = duration("fixedLease", locked.fixedLease());
        Optional<Duration> renewed = duration("renewedLease", locked.renewedLease());
        if (fixed.isPresent() && renewed.isPresent()) {
            throw new IllegalArgumentException("fixedLease=" + locked.fixedLease() + " and renewedLease="
                    + locked.renewedLease() + ": a lock has one of them");
        }
        LockOptions options = LockOptions.defaults();
        return fixed.map(options::fixedLease)
                .or(() -> renewed.map(options::renewedLease))
                .orElse(options);
    }

    static String show(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + "("
                + String.join(
                        ", ",
                        Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .toList())
                + ")";
    }

    private static Optional<Duration> duration(String attribute, String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(UriParameters.durationOf(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(attribute + "=" + e.getMessage(), e);
        }
    }

    String name(Object[] arguments) throws Throwable {
        return name.fill(arguments, shown);
    }

    LockClient client() {
        return client.get();
    }

    Lease acquire(LockClient client, String name) throws InterruptedException {
        try {
            return wait.isEmpty()
                    ? client.lock(name, options).acquire()
                    : client.lock(name, options)
                            .tryAcquire(wait.get())
                            .orElseThrow(() -> new LockBusyException(name, wait.get(), shown));
        } catch (InterruptedException e) {
            if (declaresInterrupt) {
                throw e;
            }
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException(
                    "interrupted while waiting for lock '" + name + "': " + shown + " did not run");
            cancelled.initCause(e);
            throw cancelled;
        }
    }
}
