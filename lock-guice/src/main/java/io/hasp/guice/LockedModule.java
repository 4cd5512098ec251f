package io.hasp.guice;

import com.google.inject.AbstractModule;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ProvisionListener;
import io.hasp.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Locked} work for every class of the injector, and binds {@link Lease} for {@code Provider<Lease>}. Part of
 * {@link HaspModule}; install it alone where {@code LockClient} is bound in another way. Installed several times it counts
 * once. In a private module it reaches that module's classes only.
 */
public final class LockedModule extends AbstractModule {

    /** To be installed. */
    public LockedModule() {}

    @Override
    protected void configure() {
        HeldLeases held = new HeldLeases();
        LockedMethods methods = new LockedMethods();
        InterceptionCheck unlocked = new InterceptionCheck();
        bind(Lease.class).toProvider(held::innermost);
        bindListener(Matchers.any(), methods);
        bindInterceptor(Matchers.any(), LockedMethods.LOCKED, new LockedInterceptor(methods, held));
        bindListener(Matchers.any(), (ProvisionListener) unlocked);
        requestInjection(unlocked);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockedModule;
    }

    @Override
    public int hashCode() {
        return LockedModule.class.hashCode();
    }
}
