/**
 * The Jedis client library: connections, the pool of sockets that combines the commands of many threads, and subscriptions.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.jedis;

import org.jspecify.annotations.NullMarked;
