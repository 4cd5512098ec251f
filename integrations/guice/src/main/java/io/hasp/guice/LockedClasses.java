package io.hasp.guice;

import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.TypeLiteral;
import com.google.inject.matcher.Matcher;
import com.google.inject.name.Names;
import com.google.inject.spi.TypeEncounter;
import com.google.inject.spi.TypeListener;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.LockedMethod;
import io.hasp.locked.spi.LockedMethod.Surroundings;
import io.hasp.locked.spi.LockedMethods;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds and parses the {@link Locked} methods of every class that Guice is about to construct, and reports those that
 * can't be locked.
 */
final class LockedClasses implements TypeListener {
    static final Matcher<Method> LOCKED = new Matcher<>() {
        @Override
        public boolean matches(Method method) {
            return LockedMethods.isLocked(method);
        }
    };

    private static final LockedMethods METHODS = LockedMethods.refusingFutures("Guice");
    /** Part of the name of a class that Guice generates for interception; its overridden methods are locked. */
    private static final String INTERCEPTED = "$$EnhancerByGuice$$";

    private final Map<Method, LockedMethod> understood = new ConcurrentHashMap<>();
    private final Surroundings surroundings;

    LockedClasses(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    LockedMethod get(Method method) {
        return Objects.requireNonNull(understood.get(method), () -> LockedMethod.show(method));
    }

    @Override
    public <I> void hear(TypeLiteral<I> type, TypeEncounter<I> encounter) {
        if (!type.getRawType().getName().contains(INTERCEPTED)) {
            METHODS.in(type.getRawType(), (method, problem) -> report(method, problem, encounter))
                    .forEach(method -> understand(method, encounter));
        }
    }

    private void understand(Method method, TypeEncounter<?> encounter) {
        String name = LockedMethods.annotationOf(method).orElseThrow().client();
        Key<LockClient> key = name.isEmpty() ? Key.get(LockClient.class) : Key.get(LockClient.class, Names.named(name));
        Provider<LockClient> client = encounter.getProvider(key);
        try {
            understood.putIfAbsent(method, new LockedMethod(method, client::get, surroundings));
        } catch (IllegalArgumentException e) {
            report(method, String.valueOf(e.getMessage()), encounter);
        }
    }

    private static void report(Method method, String problem, TypeEncounter<?> encounter) {
        // Not as a format: a template may contain anything.
        encounter.addError("%s", "@Locked on " + LockedMethod.show(method) + ": " + problem);
    }
}
