package io.hasp.locked.spi;

import io.hasp.locked.Locked;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/**
 * Finds the {@link Locked} methods of a class, and the obstacles that keep a container from locking one: a lock that is silently not taken
 * is worse than an error. Immutable.
 */
public final class LockedMethods {
    private static final Set<Class<?>> LATER =
            Set.of(CompletionStage.class, Future.class, Flow.Publisher.class, BaseStream.class);
    /** Types of asynchronous results, by name, because their libraries may not be there. */
    private static final Set<String> LATER_BY_NAME =
            Set.of("org.reactivestreams.Publisher", "kotlin.sequences.Sequence");

    /** Types that are asynchronous results if a method declares them. A class that implements one of them may be a value. */
    private static final Set<Class<?>> LATER_AS_DECLARED =
            Set.of(Callable.class, Supplier.class, Iterator.class, Spliterator.class);

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
     * Creates the rules of a container that refuses methods which return a future.
     *
     * @param container its name, for messages
     * @return the rules
     */
    public static LockedMethods refusingFutures(String container) {
        return new LockedMethods(container, false);
    }

    /**
     * Creates the rules of a container in which methods that return {@link CompletionStage} or {@link CompletableFuture} hold their lock
     * until that completes.
     *
     * @param container its name, for messages
     * @return the rules
     */
    public static LockedMethods holdingStages(String container) {
        return new LockedMethods(container, true);
    }

    /**
     * Finds the annotation of a method: its own, an annotation on one of its annotations, or that of its class. A bridge method has none:
     * it has the annotations of its method and calls it, so it would lock twice.
     *
     * @param method any method
     * @return empty if the method is not to be locked
     */
    public static Optional<Locked> annotationOf(Method method) {
        return method.isSynthetic() ? Optional.empty() : LockedAnnotations.of(method);
    }

    /**
     * Returns true if a method has an {@linkplain #annotationOf annotation}.
     *
     * @param method any method
     * @return true if it is to be locked
     */
    public static boolean isLocked(Method method) {
        return annotationOf(method).isPresent();
    }

    /**
     * Finds the methods of a class and of all that it extends and implements.
     *
     * @param type the class of the objects that the container creates
     * @param problems receives each method that can't be locked, and the reason
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
        return isLocked(lowest)
                ? Optional.empty()
                : Optional.of(LockedMethod.show(lowest)
                        + " overrides it without the annotation, which is not inherited; annotate that one too");
    }

    /** Returns the method that a call runs in an object of the type. */
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
        if (isHidden(method, type)) {
            return Optional.of("the method is package-private, and " + type.getName() + " is in another package, "
                    + cant + "it; make it protected or public");
        }
        if (Modifier.isFinal(type.getModifiers())) {
            return Optional.of("class " + type.getName() + " is final, " + cant + "its methods");
        }
        return worksLater(method)
                ? Optional.of("it returns a " + shown(method)
                        + ", whose work may go on after the lock was released; use DistributedLock.acquireAsync")
                : Optional.empty();
    }

    /** Returns true if a container's subclass, in the package of the type, does not override it. */
    private static boolean isHidden(Method method, Class<?> type) {
        int visible = Modifier.PUBLIC | Modifier.PROTECTED;
        return (method.getModifiers() & visible) == 0
                && !method.getDeclaringClass().getPackageName().equals(type.getPackageName());
    }

    private String shown(Method method) {
        Class<?> result = method.getReturnType();
        return isLater(result) && !(stages && LockedStage.canReturn(result))
                ? result.getSimpleName()
                : method.getGenericReturnType().getTypeName().replaceAll("[\\w.$]+[.$](\\w+)", "$1");
    }

    private boolean worksLater(Method method) {
        Class<?> result = method.getReturnType();
        boolean held = stages && LockedStage.canReturn(result);
        return (!held && isLater(result))
                || parts(method.getGenericReturnType()).anyMatch(this::containsLater)
                || (stages && isSuspending(method));
    }

    private boolean isLater(Class<?> result) {
        return LATER_AS_DECLARED.contains(result) || worksLater(result, stages ? LATER_IN_SPRING : Set.of());
    }

    /** Includes a list, an optional, a map, an array or a response of such results. */
    private boolean containsLater(Type type) {
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        return (raw instanceof Class<?> known && isLater(known)) || parts(type).anyMatch(this::containsLater);
    }

    private static Stream<Type> parts(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == Class.class ? Stream.of() : Stream.of(generic.getActualTypeArguments());
        }
        if (type instanceof WildcardType wildcard) {
            return Stream.of(wildcard.getUpperBounds());
        }
        if (type instanceof GenericArrayType array) {
            return Stream.of(array.getGenericComponentType());
        }
        return type instanceof Class<?> known && known.isArray() ? Stream.of(known.getComponentType()) : Stream.of();
    }

    private static boolean worksLater(Class<?> result, Set<String> names) {
        return LATER.stream().anyMatch(kind -> kind.isAssignableFrom(result))
                || TypeHierarchy.of(result).stream()
                        .map(Class::getName)
                        .anyMatch(name -> LATER_BY_NAME.contains(name) || names.contains(name));
    }

    /** Returns true if a result shows that the method's work goes on, although its declared type does not. */
    static boolean worksLater(Object result) {
        return LATER_RESULTS.get(result.getClass());
    }

    /** Returns true for a suspending function of Kotlin. */
    private static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }
}
