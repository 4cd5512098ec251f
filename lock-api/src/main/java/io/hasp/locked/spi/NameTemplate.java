package io.hasp.locked.spi;

import io.hasp.spi.LockName;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a lock name with expressions such as {@code {id}} or {@code {order.id}}, checked against one method's parameters, and with
 * <code>#{…}</code> if the container has a language.
 */
final class NameTemplate {
    private static final char OF_CONTAINER = '#';

    /** An expression in braces. */
    private record Part(String text, Value value) {}

    @FunctionalInterface
    private interface Value {
        @Nullable
        Object in(@Nullable Object target, Object[] arguments) throws Throwable;
    }

    private final String template;
    private final Method method;
    private final @Nullable ExpressionLanguage language;

    /** The texts around the parts: one more than there are parts. */
    private final List<String> literals = new ArrayList<>();

    private final List<Part> parts = new ArrayList<>();

    private NameTemplate(String template, Method method, @Nullable ExpressionLanguage language) {
        this.template = template;
        this.method = method;
        this.language = language;
    }

    /**
     * Parses a template.
     *
     * @param language of the container; null if it has none
     * @throws IllegalArgumentException if it is no lock name, or an expression can't be filled from the parameters
     */
    static NameTemplate of(String template, Method method, @Nullable ExpressionLanguage language) {
        NameTemplate read = new NameTemplate(template, method, language);
        read.parse();
        if (read.parts.isEmpty()) {
            new LockName(template);
        }
        return read;
    }

    private void parse() {
        StringBuilder literal = new StringBuilder();
        for (int at = 0; at < template.length(); at++) {
            char next = template.charAt(at);
            boolean ofContainer = language != null && next == OF_CONTAINER && template.startsWith("{", at + 1);
            if (ofContainer || next == '{') {
                int begin = at + (ofContainer ? 2 : 1);
                int end = ofContainer ? endOfNested(begin) : template.indexOf('}', begin);
                at = requirePartner(begin, end, ofContainer);
                literals.add(literal.toString());
                literal.setLength(0);
                parts.add(part(template.substring(begin, end), ofContainer));
            } else {
                requirePartner(next == '}' ? -1 : 0, 0, true);
                literal.append(next);
            }
        }
        literals.add(literal.toString());
    }

    private int requirePartner(int begin, int end, boolean nested) {
        if (begin < 0 || end < 0 || (!nested && template.substring(begin, end).contains("{"))) {
            throw new IllegalArgumentException("'" + template + "' has a brace without its partner");
        }
        return end;
    }

    /** Skips braces inside of an expression; those in quotes don't count. */
    private int endOfNested(int begin) {
        int open = 1;
        boolean quoted = false;
        for (int at = begin; at < template.length(); at++) {
            char next = template.charAt(at);
            quoted ^= next == '\'';
            if (!quoted) {
                open += next == '{' ? 1 : next == '}' ? -1 : 0;
            }
            if (open == 0) {
                return at;
            }
        }
        return -1;
    }

    private Part part(String text, boolean ofContainer) {
        if (language != null && ofContainer) {
            return new Part("#{" + text + "}", withText(text, language.parse(text, method)));
        }
        ParameterPath path = ParameterPath.of(text, method);
        return new Part("{" + text + "}", (target, arguments) -> path.value(arguments));
    }

    /** Checks the type of the value in each call: it is unknown before. */
    private static Value withText(String text, ExpressionLanguage.Expression expression) {
        return (target, arguments) -> {
            Object value = expression.value(target, arguments);
            if (value != null && !ParameterPath.hasText(value.getClass())) {
                throw new IllegalArgumentException("#{" + text + "} of the lock's name is of type "
                        + value.getClass().getTypeName() + ", which has no toString of its own; name a part of it");
            }
            return value;
        };
    }

    String fill(@Nullable Object target, Object[] arguments, String shown) throws Throwable {
        StringBuilder name = new StringBuilder(literals.get(0));
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            Object value = part.value.in(target, arguments);
            if (value == null) {
                throw new IllegalArgumentException(
                        part.text + " of the lock's name is null: " + shown + " did not run");
            }
            name.append(value).append(literals.get(i + 1));
        }
        return name.toString();
    }
}
