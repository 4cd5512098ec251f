/** Arithmetic of measurements: pure functions. */
@NullMarked
package io.hasp.evaluation.statistics;

import org.jspecify.annotations.NullMarked;
