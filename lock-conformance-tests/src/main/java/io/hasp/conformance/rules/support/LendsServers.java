package io.hasp.conformance.rules.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an adopter that gives each rule marked {@link DisturbsServer} a server of its own. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface LendsServers {}
