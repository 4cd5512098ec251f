/** Locks on PostgreSQL. */
@NullMarked
package io.hasp.postgres;

import org.jspecify.annotations.NullMarked;
