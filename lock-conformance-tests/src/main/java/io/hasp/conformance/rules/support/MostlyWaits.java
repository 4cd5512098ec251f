package io.hasp.conformance.rules.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule that waits for most of its time, on lock names and connections of its own. It runs beside others like it where the test
 * engine runs tests in parallel. A rule without this mark runs alone: it loads the machine, counts what the server or this JVM does,
 * disturbs the server that all rules of an adopter share, or measures milliseconds.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface MostlyWaits {}
