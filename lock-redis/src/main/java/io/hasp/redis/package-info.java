/**
 * Locks on a Redis server: {@code redis://} and {@code rediss://} for {@code LockClient.connect}, or
 * {@link io.hasp.redis.RedisBackend} for a client that the application already runs. And locks on a majority of several
 * independent servers: {@code redlock://}, or {@link io.hasp.redis.RedlockBackend}.
 *
 * <p>One rule set of Lua scripts (in the resources, one file per command), one small port to whichever client library
 * carries them.
 */
@NullMarked
package io.hasp.redis;

import org.jspecify.annotations.NullMarked;
