package io.hasp.locked.spi;

import io.hasp.locked.Locked;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What stands in the braces of <code>#{…}</code> in the name of a {@link Locked} method. Of the container; Guice has none. */
public interface ExpressionLanguage {

    /**
     * Reads an expression.
     *
     * @param text what stands in the braces
     * @param method the annotated method
     * @return the expression
     * @throws IllegalArgumentException if it can't be understood; says why
     */
    Expression parse(String text, Method method);

    /** An expression that was understood. Thread-safe. */
    interface Expression {

        /**
         * Its value in a call.
         *
         * @param target the object that is called; null for a static method
         * @param arguments of the call
         * @return a part of the lock's name; null is refused
         */
        @Nullable
        Object value(@Nullable Object target, Object[] arguments);
    }
}
