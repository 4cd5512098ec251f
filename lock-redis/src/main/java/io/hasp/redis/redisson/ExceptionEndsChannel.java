package io.hasp.redis.redisson;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Closes a connection after an exception in the middle of a read or a write. After an error of the JVM Redisson goes on with the
 * connection, and may take the reply to one command for that to another.
 */
final class ExceptionEndsChannel extends ChannelDuplexHandler {
    private ExceptionEndsChannel() {}

    static void in(Channel channel) {
        // Redisson's last one ends an exception's way.
        channel.pipeline()
                .addBefore(channel.pipeline().lastContext().name(), "hasp-errors", new ExceptionEndsChannel());
    }

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
