/** The {@code hasp} command line. */
@NullMarked
package io.hasp.evaluation;

import org.jspecify.annotations.NullMarked;
