package io.hasp.guice;

import io.hasp.spi.LockName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A lock name with expressions such as {@code {id}} or {@code {order.id}}, checked against one method's parameters. */
final class NameTemplate {
    private static final Pattern EXPRESSION = Pattern.compile("\\{([^{}]*)}");

    /** What stands in braces: a parameter, and the methods to call on it one after the other. */
    private record Expression(String text, int parameter, List<Method> path) {}

    /** One more than there are expressions: they stand between these. */
    private final List<String> literals = new ArrayList<>();

    private final List<Expression> expressions = new ArrayList<>();

    private NameTemplate() {}

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException if it is no lock name, or an expression can't be filled from the parameters
     */
    static NameTemplate of(String template, Method method) {
        NameTemplate read = new NameTemplate();
        Matcher matcher = EXPRESSION.matcher(template);
        int end = 0;
        while (matcher.find()) {
            read.literals.add(template.substring(end, matcher.start()));
            read.expressions.add(expression(matcher.group(1), method));
            end = matcher.end();
        }
        read.literals.add(template.substring(end));
        if (read.literals.stream().anyMatch(text -> text.contains("{") || text.contains("}"))) {
            throw new IllegalArgumentException("'" + template + "' has a brace without its partner");
        }
        if (read.expressions.isEmpty()) {
            new LockName(template);
        }
        return read;
    }

    private static Expression expression(String text, Method method) {
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
        return new Expression(text, parameter, path);
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

    /** Without a text of its own a value would be named by its address: a lock that never excludes anybody. */
    private static boolean hasText(Class<?> type) {
        Method text = publicMethod("toString", type); // None: an interface that says nothing about it.
        return type.isPrimitive() || (text != null && text.getDeclaringClass() != Object.class);
    }

    private static @Nullable Method publicMethod(String name, Class<?> type) {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    String fill(Object[] arguments, String shown) throws Throwable {
        StringBuilder name = new StringBuilder(literals.get(0));
        for (int i = 0; i < expressions.size(); i++) {
            Expression expression = expressions.get(i);
            Object value = value(expression, arguments);
            if (value == null) {
                throw new IllegalArgumentException(
                        "{" + expression.text + "} of the lock's name is null: " + shown + " did not run");
            }
            name.append(value).append(literals.get(i + 1));
        }
        return name.toString();
    }

    private static @Nullable Object value(Expression expression, Object[] arguments) throws Throwable {
        Object value = arguments[expression.parameter];
        for (Method step : expression.path) {
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
