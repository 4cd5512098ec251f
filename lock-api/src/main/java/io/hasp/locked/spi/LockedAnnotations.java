package io.hasp.locked.spi;

import io.hasp.locked.Locked;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds the annotation of a method: its own, one on its own annotations, or that of its class. */
final class LockedAnnotations {
    private static final ClassValue<Optional<Locked>> ON_TYPE = new ClassValue<>() {
        @Override
        protected Optional<Locked> computeValue(Class<?> type) {
            return on(type, new HashSet<>());
        }
    };

    private LockedAnnotations() {}

    static Optional<Locked> of(Method method) {
        Optional<Locked> own = on(method, new HashSet<>());
        return own.isPresent() || !isOfItsClass(method) ? own : ON_TYPE.get(method.getDeclaringClass());
    }

    private static Optional<Locked> on(AnnotatedElement element, Set<Class<?>> seen) {
        Locked locked = element.getAnnotation(Locked.class);
        if (locked != null) {
            return Optional.of(locked);
        }
        for (Annotation each : element.getDeclaredAnnotations()) {
            Class<? extends Annotation> type = each.annotationType();
            if (!type.getName().startsWith("java.lang.annotation.") && seen.add(type)) {
                Optional<Locked> meta = on(type, seen);
                if (meta.isPresent()) {
                    return meta;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isOfItsClass(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0 && !isOfObject(method);
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
