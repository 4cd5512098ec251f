/**
 * Locks on a Redis server: {@code redis://} and {@code rediss://} for {@code LockClient.connect}, or
 * {@link io.hasp.redis.RedisBackend} for a client that the application already runs.
 *
 * <p>One rule set of Lua scripts (in the resources, one file per command), one small port to whichever client library
 * carries them.
 */
@NullMarked
package io.hasp.redis;

import org.jspecify.annotations.NullMarked;
