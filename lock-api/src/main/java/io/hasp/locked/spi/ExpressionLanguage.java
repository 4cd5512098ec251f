package io.hasp.locked.spi;

import io.hasp.locked.Locked;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions in <code>#{…}</code> in the name of a {@link Locked} method. Provided by the container; Guice has none.
 * Thread-safe.
 */
public interface ExpressionLanguage {

    /**
     * Parses an expression.
     *
     * @param text the text in the braces
     * @param method the annotated method
     * @return the expression
     * @throws IllegalArgumentException with the reason, if the text is no expression
     */
    Expression parse(String text, Method method);

    /** A parsed expression. Thread-safe. */
    interface Expression {

        /**
         * Evaluates the expression in a call.
         *
         * @param target the object that is called; null for a static method
         * @param arguments of the call
         * @return a part of the lock's name; null is refused
         */
        @Nullable
        Object value(@Nullable Object target, Object[] arguments);
    }
}
