/**
 * The client's state of its holders, from their first request to their release.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.holder;

import org.jspecify.annotations.NullMarked;
