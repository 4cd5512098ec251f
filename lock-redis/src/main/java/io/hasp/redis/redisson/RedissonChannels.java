package io.hasp.redis.redisson;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.redisson.client.NettyHook;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisPubSubConnection;

/**
 * The connections of a Redisson client. When one ends, Redisson takes a new one by itself. After an error of the JVM in the middle of a
 * read or a write Redisson goes on with that connection, and may take the reply to one command for that to another. So the connection
 * ends. Thread-safe.
 */
final class RedissonChannels implements NettyHook {
    private final Consumer<Channel> onConnecting;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> onInterruption = new ConcurrentLinkedQueue<>();

    /**
     * None yet.
     *
     * @param onConnecting gets each connection before it is used
     */
    RedissonChannels(Consumer<Channel> onConnecting) {
        this.onConnecting = onConnecting;
    }

    @Override
    public void afterBoostrapInitialization(Bootstrap bootstrap) {}

    @Override
    public void afterChannelInitialization(Channel channel) {
        open.add(channel);
        endOnErrors(channel);
        onConnecting.accept(channel);
        channel.closeFuture().addListener(closed -> ended(channel));
    }

    /** An error ends the connection. */
    static void endOnErrors(Channel channel) {
        // Redisson's last one ends an exception's way.
        channel.pipeline()
                .addBefore(channel.pipeline().lastContext().name(), "hasp-errors", new ExceptionEndsChannel());
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

    private static final class ExceptionEndsChannel extends ChannelDuplexHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
            context.fireExceptionCaught(cause);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            context.write(message, promise.unvoid().addListener(written -> {
                if (!written.isSuccess()) {
                    context.close();
                }
            }));
        }
    }
}
