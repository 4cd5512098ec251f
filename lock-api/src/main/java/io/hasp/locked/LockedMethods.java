package io.hasp.locked;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.stream.BaseStream;

/**
 * Finds the {@link Locked} methods of a class, and what would keep a container from locking one: a lock that is silently not taken
 * is worse than an error. Immutable.
 */
public final class LockedMethods {
    private static final Set<Class<?>> LATER =
            Set.of(CompletionStage.class, Future.class, Flow.Publisher.class, BaseStream.class);
    /** By name, because their libraries may not be there. A method's work goes on when it has returned one of them. */
    private static final Set<String> LATER_BY_NAME = Set.of("org.reactivestreams.Publisher");

    private static final Set<String> LATER_IN_SPRING = Set.of(
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job",
            "io.smallrye.mutiny.Uni",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final ClassValue<Boolean> LATER_RESULTS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return worksLater(type, LATER_IN_SPRING);
        }
    };

    private final String container;
    private final boolean stages;

    private LockedMethods(String container, boolean stages) {
        this.container = container;
        this.stages = stages;
    }

    /**
     * Of a container that refuses methods which return a future.
     *
     * @param container its name, for messages
     * @return what looks at its classes
     */
    public static LockedMethods refusingFutures(String container) {
        return new LockedMethods(container, false);
    }

    /**
     * Of a container in which methods that return {@link CompletionStage} or {@link CompletableFuture} hold their lock until that
     * completes.
     *
     * @param container its name, for messages
     * @return what looks at its classes
     */
    public static LockedMethods holdingStages(String container) {
        return new LockedMethods(container, true);
    }

    /**
     * Whether a method is to be locked. A bridge has its method's annotations, and calls it: to lock both would be once too often.
     *
     * @param method any
     * @return true if it is annotated and the compiler did not make it
     */
    public static boolean isLocked(Method method) {
        return method.isAnnotationPresent(Locked.class) && !method.isSynthetic();
    }

    /**
     * Looks at a class and all that it extends and implements.
     *
     * @param type the class of the objects that the container makes
     * @param problems told of each method that can't be locked, and why
     * @return the methods to lock
     */
    public List<Method> in(Class<?> type, BiConsumer<Method, String> problems) {
        List<Method> good = new ArrayList<>();
        for (Class<?> each : TypeHierarchy.of(type)) {
            for (Method method : each.getDeclaredMethods()) {
                if (!isLocked(method)) {
                    continue;
                }
                Method lowest = lowest(method, type);
                Optional<String> problem = lowest.equals(method) ? obstacle(method, type) : overridden(lowest);
                problem.ifPresent(why -> problems.accept(method, why));
                if (problem.isEmpty() && lowest.equals(method)) {
                    good.add(method);
                }
            }
        }
        return good;
    }

    private static Optional<String> overridden(Method lowest) {
        return lowest.isAnnotationPresent(Locked.class)
                ? Optional.empty()
                : Optional.of(LockedMethod.show(lowest)
                        + " overrides it without the annotation, which is not inherited; annotate that one too");
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

    private Optional<String> obstacle(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        String cant = "so " + container + " can't intercept ";
        if (method.getDeclaringClass().isInterface()) {
            return Optional.of("the method belongs to an interface, " + cant + "it; override and annotate it");
        }
        for (int bad : new int[] {Modifier.PRIVATE, Modifier.FINAL, Modifier.STATIC}) {
            if ((modifiers & bad) != 0) {
                return Optional.of("the method is " + Modifier.toString(bad) + ", " + cant + "it");
            }
        }
        if (Modifier.isFinal(type.getModifiers())) {
            return Optional.of("class " + type.getName() + " is final, " + cant + "its methods");
        }
        return worksLater(method)
                ? Optional.of("it returns a " + method.getReturnType().getSimpleName()
                        + ", whose work may go on after the lock was released; use DistributedLock.acquireAsync")
                : Optional.empty();
    }

    private boolean worksLater(Method method) {
        Class<?> result = method.getReturnType();
        if (stages && LockedStage.canReturn(result)) {
            return false;
        }
        return worksLater(result, stages ? LATER_IN_SPRING : Set.of())
                || (stages && (result == Callable.class || isSuspending(method)));
    }

    private static boolean worksLater(Class<?> result, Set<String> names) {
        return LATER.stream().anyMatch(kind -> kind.isAssignableFrom(result))
                || TypeHierarchy.of(result).stream()
                        .map(Class::getName)
                        .anyMatch(name -> LATER_BY_NAME.contains(name) || names.contains(name));
    }

    /** Whether a result that a method has returned shows that its work goes on, although what it declares does not say so. */
    static boolean worksLater(Object result) {
        return LATER_RESULTS.get(result.getClass());
    }

    /** A suspending function of Kotlin. */
    private static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }
}
