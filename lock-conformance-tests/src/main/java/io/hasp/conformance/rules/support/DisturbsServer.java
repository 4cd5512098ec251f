package io.hasp.conformance.rules.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule that stops, kills or deafens the server and else {@link MostlyWaits}. It runs beside rules that wait if its adopter
 * {@link LendsServers}, and else without them.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DisturbsServer {}
