/**
 * Locks on a Redis server: {@code redis://} and {@code rediss://} for {@code LockClient.connect}, or
 * {@link io.hasp.redis.RedisBackend} for a client that the application already runs. And locks on a majority of several
 * independent servers: {@code redlock://}, or {@link io.hasp.redis.RedlockBackend}.
 *
 * <p>The packages below this one are internal: {@code script} (the Lua scripts and their keys), {@code server} (one server, and
 * the port to client libraries), {@code jedis}, {@code lettuce} and {@code redisson} (the client libraries), {@code holder} (what a client
 * remembers of its requests), {@code redlock} (the majority), {@code blocking} (threads that block on sockets).
 */
@NullMarked
package io.hasp.redis;

import org.jspecify.annotations.NullMarked;
