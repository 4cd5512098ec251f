package io.hasp.micrometer;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps the names of locks to the few values of the tag {@code lock}, as {@link LockMetrics.Builder#lockTag} describes it. In Spring
 * Boot a bean of this type is used.
 */
@FunctionalInterface
public interface LockTag extends Function<String, @Nullable String> {}
