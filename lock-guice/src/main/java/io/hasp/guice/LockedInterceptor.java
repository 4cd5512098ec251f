package io.hasp.guice;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Acquire, run, release, around a {@link Locked} method. */
final class LockedInterceptor implements MethodInterceptor {
    private final LockedMethods methods;
    private final HeldLeases held;

    LockedInterceptor(LockedMethods methods, HeldLeases held) {
        this.methods = methods;
        this.held = held;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        LockedMethod method = methods.get(call.getMethod());
        String name = method.name(call.getArguments());
        LockClient client = method.client();
        Optional<Lease> outer = held.of(client, name);
        if (outer.isPresent()) {
            outer.get().ensureHeld();
            return run(call, client, outer.get());
        }
        try (Lease lease = method.acquire(client, name)) {
            return run(call, client, lease);
        }
    }

    private @Nullable Object run(MethodInvocation call, LockClient client, Lease lease) throws Throwable {
        held.begin(client, lease);
        try {
            Object result = call.proceed();
            lease.ensureHeld();
            return result;
        } finally {
            held.end();
        }
    }
}
