package io.hasp.micrometer;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps the names of locks to the few values of the tag {@code lock}; see {@link LockMetrics.Builder#lockTag}. Spring
 * Boot uses a bean of this type.
 */
@FunctionalInterface
public interface LockTag extends Function<String, @Nullable String> {}
