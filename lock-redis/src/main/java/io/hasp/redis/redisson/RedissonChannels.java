package io.hasp.redis.redisson;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.client.NettyHook;

/** The connections of a Redisson client. When one ends, Redisson takes a new one by itself. Thread-safe. */
final class RedissonChannels implements NettyHook {
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();

    @Override
    public void afterBoostrapInitialization(Bootstrap bootstrap) {}

    @Override
    public void afterChannelInitialization(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
    }

    /** Does not wait. */
    void end() {
        open.forEach(Channel::close);
    }
}
