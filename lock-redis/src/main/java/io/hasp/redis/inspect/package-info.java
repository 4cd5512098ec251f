/**
 * Shows the locks of servers to operators.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.inspect;

import org.jspecify.annotations.NullMarked;
