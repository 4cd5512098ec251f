package io.hasp.locked.spi;

import io.hasp.locked.LockKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Evaluates an expression such as {@code id} or {@code order.id}: a parameter, and the methods to call on it one after the other. */
record ParameterPath(int parameter, List<Method> path) {

    /**
     * Parses an expression.
     *
     * @throws IllegalArgumentException if it can't be filled from the method's parameters
     */
    static ParameterPath of(String text, Method method) {
        String[] steps = text.split("\\.", -1);
        int parameter = parameter(steps[0], method);
        Class<?> type = method.getParameterTypes()[parameter];
        List<Method> path = new ArrayList<>();
        for (int i = 1; i < steps.length; i++) {
            Method step = step(steps[i], type);
            path.add(step);
            type = step.getReturnType();
        }
        if (!hasText(type)) {
            throw new IllegalArgumentException("{" + text + "} is of type " + type.getTypeName()
                    + ", which has no toString of its own; name a part of it, such as {" + text + ".id}");
        }
        return new ParameterPath(parameter, path);
    }

    private static int parameter(String name, Method method) {
        List<String> known = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            LockKey key = parameter.getAnnotation(LockKey.class);
            known.add(key != null ? key.value() : parameter.isNamePresent() ? parameter.getName() : "?");
        }
        int index = known.indexOf(name);
        if (index < 0 || known.lastIndexOf(name) != index || name.equals("?")) {
            throw new IllegalArgumentException("{" + name + "} is not the name of one parameter, which are " + known
                    + "; annotate it with @LockKey(\"" + name + "\"), or compile with -parameters");
        }
        return index;
    }

    private static Method step(String name, Class<?> type) {
        String getter = name.isEmpty() ? "" : "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (String candidate : List.of(name, getter)) {
            Method method = publicMethod(candidate, type);
            if (method != null
                    && method.getReturnType() != void.class
                    && !Modifier.isStatic(method.getModifiers())
                    && method.trySetAccessible()) {
                return method;
            }
        }
        throw new IllegalArgumentException(
                type.getTypeName() + " has no accessible public method " + name + "() or " + getter + "()");
    }

    /** Refuses a value without a text of its own: its address as a name would never exclude another call. */
    static boolean hasText(Class<?> type) {
        Method text = publicMethod("toString", type); // No such method: an interface that does not declare it.
        return type.isPrimitive() || (text != null && text.getDeclaringClass() != Object.class);
    }

    private static @Nullable Method publicMethod(String name, Class<?> type) {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    @Nullable
    Object value(Object[] arguments) throws Throwable {
        Object value = arguments[parameter];
        for (Method step : path) {
            if (value == null) {
                return null;
            }
            try {
                value = step.invoke(value);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
        return value;
    }
}
