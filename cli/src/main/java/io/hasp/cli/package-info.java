/** The {@code hasp} command for operators. */
@NullMarked
package io.hasp.cli;

import org.jspecify.annotations.NullMarked;
