/** Metrics and observations of locks, through Micrometer. */
@NullMarked
package io.hasp.micrometer;

import org.jspecify.annotations.NullMarked;
