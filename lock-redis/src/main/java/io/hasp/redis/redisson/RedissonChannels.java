package io.hasp.redis.redisson;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.redisson.client.NettyHook;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisPubSubConnection;

/** The connections of a Redisson client. When one ends, Redisson takes a new one by itself. Thread-safe. */
final class RedissonChannels implements NettyHook {
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> onInterruption = new ConcurrentLinkedQueue<>();

    @Override
    public void afterBoostrapInitialization(Bootstrap bootstrap) {}

    @Override
    public void afterChannelInitialization(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> ended(channel));
    }

    private void ended(Channel channel) {
        open.remove(channel);
        if (RedisConnection.getFrom(channel) instanceof RedisPubSubConnection messages
                && !messages.getChannels().isEmpty()) {
            onInterruption.forEach(Runnable::run);
        }
    }

    /** Called when a connection that brought messages ends; Redisson says only when it is back. */
    void onInterruption(Runnable listener) {
        onInterruption.add(listener);
    }

    /** Does not wait. */
    void end() {
        open.forEach(Channel::close);
    }
}
