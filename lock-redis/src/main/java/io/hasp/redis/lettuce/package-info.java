/**
 * The Lettuce client library. Loaded only if it is chosen.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.lettuce;

import org.jspecify.annotations.NullMarked;
