/** Locks on Redis. An application brings one of the client libraries, all of which are optional here. */
module io.hasp.redis {
    requires transitive io.hasp;
    requires static org.jspecify;
    requires static redis.clients.jedis;
    requires static lettuce.core;
    requires static redisson;
    // Lettuce looks for its socket options and can't start without them.
    requires jdk.net;
    // Redisson and Lettuce bring them.
    requires static io.netty.buffer;
    requires static io.netty.common;
    requires static io.netty.handler;
    requires static io.netty.resolver;
    requires static io.netty.resolver.dns;
    requires static io.netty.transport;

    exports io.hasp.redis;

    provides io.hasp.spi.LockBackendProvider with
            io.hasp.redis.RedisBackendProvider,
            io.hasp.redis.RedlockBackendProvider;
}
