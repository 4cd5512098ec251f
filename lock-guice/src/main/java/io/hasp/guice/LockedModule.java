package io.hasp.guice;

import com.google.inject.AbstractModule;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ProvisionListener;
import io.hasp.Lease;
import io.hasp.locked.HeldLeases;
import io.hasp.locked.Locked;
import io.hasp.locked.LockedMethod.Surroundings;
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
        LockedClasses classes = new LockedClasses(Surroundings.of(held));
        InterceptionCheck unlocked = new InterceptionCheck();
        bind(Lease.class).toProvider(held::innermost);
        bindListener(Matchers.any(), classes);
        bindInterceptor(Matchers.any(), LockedClasses.LOCKED, new LockedInterceptor(classes));
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
