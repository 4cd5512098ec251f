package io.hasp.conformance.rules.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a rule that stops, kills or deafens the server and otherwise {@link MostlyWaits}. If its adopter
 * {@link LendsServers}, the rule runs beside waiting rules, otherwise without them.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DisturbsServer {}
