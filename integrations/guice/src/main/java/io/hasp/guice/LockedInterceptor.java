package io.hasp.guice;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs a {@link io.hasp.locked.Locked} method under its lock. */
final class LockedInterceptor implements MethodInterceptor {
    private final LockedClasses classes;

    LockedInterceptor(LockedClasses classes) {
        this.classes = classes;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        return classes.get(call.getMethod()).call(call.getThis(), call.getArguments(), call::proceed);
    }
}
