package io.hasp.locked;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names a parameter for the expressions of {@link Locked}, independent of the name that the compiler keeps. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface LockKey {

    /**
     * Returns the name.
     *
     * @return the name in braces
     */
    String value();
}
