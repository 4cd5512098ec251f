package io.hasp.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches unless one of the properties is false, in any of the words that Spring Boot converts to false, such as
 * {@code off} and {@code no}. Spring Boot's own condition on properties accepts {@code false} only.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(OnSwitch.class)
public @interface ConditionalOnSwitch {

    /**
     * The properties.
     *
     * @return their names
     */
    String[] value();
}
