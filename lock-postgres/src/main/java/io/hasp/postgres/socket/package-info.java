/** A socket that the driver creates by the name of its factory. */
@NullMarked
package io.hasp.postgres.socket;

import org.jspecify.annotations.NullMarked;
