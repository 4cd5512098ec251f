package io.hasp.redis;

import io.hasp.redis.redisson.RedissonConnection;

/** Errors of the JVM inside of Redisson. */
class RedissonErrorsTest extends NettyErrorsFixture<RedissonConnection> {
    @Override
    RedissonConnection open() {
        return RedissonConnection.open(
                Configs.endpoint(server, COMMAND_TIMEOUT), channel -> FaultyChannel.in(channel, steps));
    }
}
