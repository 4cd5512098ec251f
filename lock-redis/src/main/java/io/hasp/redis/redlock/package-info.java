/**
 * Redlock: one lock on a majority of independent servers.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.redlock;

import org.jspecify.annotations.NullMarked;
