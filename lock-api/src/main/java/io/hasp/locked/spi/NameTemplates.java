package io.hasp.locked.spi;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The names of the locks of one method. */
record NameTemplates(List<NameTemplate> templates) {

    /**
     * Parses the templates.
     *
     * @param language of the container; null if it has none
     * @throws IllegalArgumentException if there is none, one comes twice, or one is wrong
     */
    static NameTemplates of(
            String[] values, UnaryOperator<String> texts, Method method, @Nullable ExpressionLanguage language) {
        if (values.length == 0) {
            throw new IllegalArgumentException("it has no name: a lock needs one");
        }
        List<String> filled = Arrays.stream(values).map(texts).toList();
        if (new HashSet<>(filled).size() < values.length) {
            throw new IllegalArgumentException("one of the names " + filled + " comes twice: each name may occur once");
        }
        return new NameTemplates(filled.stream()
                .map(template -> NameTemplate.of(template, method, language))
                .toList());
    }

    boolean several() {
        return templates.size() > 1;
    }

    List<String> fill(@Nullable Object target, Object[] arguments, String shown) throws Throwable {
        List<String> names = new ArrayList<>();
        for (NameTemplate template : templates) {
            names.add(template.fill(target, arguments, shown));
        }
        return names;
    }
}
