package io.hasp.guice;

import com.google.inject.Binding;
import com.google.inject.ConfigurationException;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.spi.InstanceBinding;
import com.google.inject.spi.Message;
import com.google.inject.spi.ProvisionListener;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.LockedMethod;
import io.hasp.locked.spi.LockedMethods;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses objects with {@link Locked} methods that are not intercepted. Bound instances are refused when the injector
 * is created, all other objects when they are made.
 */
final class InterceptionCheck implements ProvisionListener {
    /** Cached per class: there are few classes, and many lookups. */
    private final ClassValue<Optional<Method>> unlocked = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return find(type);
        }
    };

    @Inject
    void check(Injector injector) {
        List<Message> problems = new ArrayList<>();
        for (Binding<?> binding : injector.getBindings().values()) {
            if (binding instanceof InstanceBinding<?> bound) {
                unlocked.get(bound.getInstance().getClass())
                        .ifPresent(method -> problems.add(new Message(binding.getSource(), problem(method))));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    @Override
    public <T> void onProvision(ProvisionInvocation<T> provision) {
        @Nullable T made = provision.provision();
        if (made != null) {
            unlocked.get(made.getClass()).ifPresent(method -> {
                throw new IllegalStateException(problem(method));
            });
        }
    }

    private static String problem(Method method) {
        return "@Locked on " + LockedMethod.show(method)
                + ": Guice does not intercept it in this object; bind the class, so that Guice constructs it";
    }

    /** An interceptor class overrides the method without its annotation. */
    private static Optional<Method> find(Class<?> type) {
        Set<String> overridden = new HashSet<>();
        try {
            for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
                for (Method method : each.getDeclaredMethods()) {
                    boolean lowest = overridden.add(method.getName() + Arrays.toString(method.getParameterTypes()));
                    if (lowest && LockedMethods.isLocked(method)) {
                        return Optional.of(method);
                    }
                }
            }
        } catch (LinkageError e) {
            // A provider's object may have a class whose methods need absent libraries. Guice never inspects it.
        }
        return Optional.empty();
    }
}
