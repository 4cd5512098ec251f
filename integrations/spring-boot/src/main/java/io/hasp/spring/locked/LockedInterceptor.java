package io.hasp.spring.locked;

import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Runs a {@link io.hasp.locked.Locked} method under its lock. */
final class LockedInterceptor implements MethodInterceptor {
    private final LockedBeans locked;

    LockedInterceptor(LockedBeans locked) {
        this.locked = locked;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = Objects.requireNonNull(call.getThis());
        return locked.method(LockedBeans.ofTarget(call.getMethod(), AopUtils.getTargetClass(target)))
                .call(target, call.getArguments(), call::proceed);
    }
}
