package io.hasp;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must be used: a dropped result would be a lock that no code can release. Error Prone, SpotBugs and IntelliJ
 * recognize annotations of this simple name. This declaration keeps the API free of dependencies.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}
