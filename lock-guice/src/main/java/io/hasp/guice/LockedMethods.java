package io.hasp.guice;

import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.TypeLiteral;
import com.google.inject.matcher.Matcher;
import com.google.inject.name.Names;
import com.google.inject.spi.TypeEncounter;
import com.google.inject.spi.TypeListener;
import io.hasp.LockClient;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/**
 * Finds the {@link Locked} methods of every class that Guice is about to construct, understands them, and reports those that
 * could not be locked.
 */
final class LockedMethods implements TypeListener {
    /** A bridge has its method's annotations, and calls it: to lock both would be once too often. */
    static final Matcher<Method> LOCKED = new Matcher<>() {
        @Override
        public boolean matches(Method method) {
            return method.isAnnotationPresent(Locked.class) && !method.isSynthetic();
        }
    };

    private static final Set<Class<?>> LATER =
            Set.of(CompletionStage.class, Future.class, Flow.Publisher.class, BaseStream.class);
    /** In the name of a class that Guice made to intercept methods: what it overrides is locked. */
    private static final String INTERCEPTED = "$$EnhancerByGuice$$";

    private static final String REACTIVE = "org.reactivestreams.Publisher";

    private final Map<Method, LockedMethod> understood = new ConcurrentHashMap<>();

    LockedMethod get(Method method) {
        return Objects.requireNonNull(understood.get(method), () -> LockedMethod.show(method));
    }

    @Override
    public <I> void hear(TypeLiteral<I> type, TypeEncounter<I> encounter) {
        if (type.getRawType().getName().contains(INTERCEPTED)) {
            return;
        }
        for (Class<?> each : TypeHierarchy.of(type.getRawType())) {
            for (Method method : each.getDeclaredMethods()) {
                if (!LOCKED.matches(method)) {
                    continue;
                }
                Method lowest = lowest(method, type.getRawType());
                if (lowest.equals(method)) {
                    examine(method, type.getRawType(), encounter);
                } else if (!lowest.isAnnotationPresent(Locked.class)) {
                    String problem =
                            " overrides it without the annotation, which is not inherited; annotate that one too";
                    report(method, LockedMethod.show(lowest) + problem, encounter);
                }
            }
        }
    }

    /** What a call of the method runs in an object of the type. */
    private static Method lowest(Method method, Class<?> type) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            return method;
        }
        for (Class<?> each : TypeHierarchy.of(type)) {
            try {
                return each.getDeclaredMethod(method.getName(), method.getParameterTypes());
            } catch (NoSuchMethodException e) {
                // Further up, then.
            }
        }
        return method;
    }

    private void examine(Method method, Class<?> type, TypeEncounter<?> encounter) {
        Optional<String> obstacle = obstacle(method, type);
        if (obstacle.isPresent()) {
            report(method, obstacle.get(), encounter);
            return;
        }
        Locked locked = method.getAnnotation(Locked.class);
        Key<LockClient> key = locked.client().isEmpty()
                ? Key.get(LockClient.class)
                : Key.get(LockClient.class, Names.named(locked.client()));
        Provider<LockClient> client = encounter.getProvider(key);
        try {
            understood.putIfAbsent(method, new LockedMethod(method, locked, client));
        } catch (IllegalArgumentException | io.hasp.InvalidArgumentException e) {
            report(method, String.valueOf(e.getMessage()), encounter);
        }
    }

    private static void report(Method method, String problem, TypeEncounter<?> encounter) {
        // Not as a format: a template may contain anything.
        encounter.addError("%s", "@Locked on " + LockedMethod.show(method) + ": " + problem);
    }

    private static Optional<String> obstacle(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        if (method.getDeclaringClass().isInterface()) {
            return Optional.of(
                    "the method belongs to an interface, so Guice can't intercept it; override and annotate it");
        }
        for (int bad : new int[] {Modifier.PRIVATE, Modifier.FINAL, Modifier.STATIC}) {
            if ((modifiers & bad) != 0) {
                return Optional.of("the method is " + Modifier.toString(bad) + ", so Guice can't intercept it");
            }
        }
        if (Modifier.isFinal(type.getModifiers())) {
            return Optional.of("class " + type.getName() + " is final, so Guice can't intercept its methods");
        }
        Class<?> result = method.getReturnType();
        boolean later = LATER.stream().anyMatch(kind -> kind.isAssignableFrom(result))
                || TypeHierarchy.of(result).stream()
                        .anyMatch(kind -> kind.getName().equals(REACTIVE));
        return later
                ? Optional.of("it returns a " + result.getSimpleName()
                        + ", whose work may go on after the lock was released; use DistributedLock.acquireAsync")
                : Optional.empty();
    }
}
