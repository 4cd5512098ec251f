/**
 * The Redisson client library. Loaded only if it is chosen.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.redisson;

import org.jspecify.annotations.NullMarked;
