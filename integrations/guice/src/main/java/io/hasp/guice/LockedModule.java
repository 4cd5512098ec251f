package io.hasp.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binding;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ProvisionListener;
import io.hasp.Lease;
import io.hasp.MultiLease;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.CallObserver;
import io.hasp.locked.spi.HeldLeases;
import io.hasp.locked.spi.LockedMethod.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * Intercepts the {@link Locked} methods of every class of the injector, and binds {@link Lease} for
 * {@code Provider<Lease>}. A bound {@link CallObserver} observes each call. {@link HaspModule} includes this module;
 * install it alone if {@code LockClient} is bound in another way. Repeated installations count once. In a private
 * module it reaches that module's classes only. Immutable.
 */
public final class LockedModule extends AbstractModule {

    /** Creates the module. */
    public LockedModule() {}

    @Override
    protected void configure() {
        HeldLeases held = new HeldLeases();
        LockedClasses classes = new LockedClasses(Surroundings.of(held, observer()));
        InterceptionCheck unlocked = new InterceptionCheck();
        bind(Lease.class).toProvider(held::innermost);
        bind(MultiLease.class).toProvider(held::innermostOfSeveral);
        bindListener(Matchers.any(), classes);
        bindInterceptor(Matchers.any(), LockedClasses.LOCKED, new LockedInterceptor(classes));
        bindListener(Matchers.any(), (ProvisionListener) unlocked);
        requestInjection(unlocked);
    }

    /** Looked up at each call: a binding in this module would be visible to the rest of the injector. */
    private CallObserver observer() {
        Provider<Injector> injector = getProvider(Injector.class);
        return (lock, call) -> {
            Binding<CallObserver> bound = injector.get().getExistingBinding(Key.get(CallObserver.class));
            return (bound == null ? CallObserver.NONE : bound.getProvider().get()).observe(lock, call);
        };
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
