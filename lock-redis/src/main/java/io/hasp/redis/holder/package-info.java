/**
 * What a client remembers of its holders between their first request and their release.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.holder;

import org.jspecify.annotations.NullMarked;
