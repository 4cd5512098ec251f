package io.hasp.locked;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names a parameter for the expressions of {@link Locked}, whatever the compiler keeps of its own name. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface LockKey {

    /**
     * The name.
     *
     * @return what stands in braces
     */
    String value();
}
