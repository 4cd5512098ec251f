package io.hasp.conformance.rules.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a rule that waits for most of its time, on lock names and connections of its own. If the test engine runs tests
 * in parallel, it runs beside others like it. A rule without this mark runs alone: it loads the machine, counts
 * activities of the server or this JVM, disturbs the adopter's shared server, or measures milliseconds.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface MostlyWaits {}
