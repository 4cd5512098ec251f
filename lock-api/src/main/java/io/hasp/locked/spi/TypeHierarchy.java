package io.hasp.locked.spi;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists a class and all that it extends and implements, without {@code Object}. */
final class TypeHierarchy {
    private TypeHierarchy() {}

    static Set<Class<?>> of(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>();
        add(type, types);
        types.remove(Object.class);
        return types;
    }

    /** Classes come before what they extend, interfaces after. */
    private static void add(@Nullable Class<?> type, Set<Class<?>> types) {
        if (type != null && types.add(type)) {
            add(type.getSuperclass(), types);
            for (Class<?> each : type.getInterfaces()) {
                add(each, types);
            }
        }
    }
}
