/**
 * Checks servers for an operator.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.diagnosis;

import org.jspecify.annotations.NullMarked;
