package io.hasp;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the method returns has to be used: dropped, it is a lock that nobody can release. Error Prone, SpotBugs and IntelliJ know
 * annotations by this simple name; our own keeps the API free of dependencies.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}
