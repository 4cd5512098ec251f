/**
 * One Redis server: its endpoint, the check at connect, and the port through which a client library carries scripts.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.server;

import org.jspecify.annotations.NullMarked;
