package io.hasp.redis.lettuce;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Closes a connection on which an error came up, such as memory that ran out, and reads nothing of it any more. Lettuce would go on
 * without the bytes that were lost: a message, or the end of one reply and the beginning of the next.
 */
final class ClosingOnError implements NettyCustomizer {
    private final NettyCustomizer others;

    private ClosingOnError(NettyCustomizer others) {
        this.others = others;
    }

    /** The same resources, for connections that close on an error. Ending them ends the given ones. */
    static ClientResources of(ClientResources resources) {
        NettyCustomizer customizer = new ClosingOnError(resources.nettyCustomizer());
        // Not mutate(): what that builds has threads of its own, and does not share what it should.
        return (ClientResources) Proxy.newProxyInstance(
                ClientResources.class.getClassLoader(),
                new Class<?>[] {ClientResources.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("nettyCustomizer")) {
                        return customizer;
                    }
                    try {
                        return method.invoke(resources, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        others.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        others.afterChannelInitialized(channel);
        ChannelHandlerContext commands = channel.pipeline().context(CommandHandler.class);
        channel.pipeline().addBefore(commands.name(), null, new Reads(commands));
    }

    /** Stands before the handler that gives replies to commands, which keeps its own errors to itself. */
    private static final class Reads extends ChannelInboundHandlerAdapter {
        private final ChannelHandlerContext commands;
        private boolean broken;

        Reads(ChannelHandlerContext commands) {
            this.commands = commands;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            if (broken) {
                ReferenceCountUtil.release(bytes);
                return;
            }
            try {
                ((CommandHandler) commands.handler()).channelRead(commands, bytes);
            } catch (Throwable e) {
                exceptionCaught(context, e);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            broken = true;
            try {
                context.close();
            } finally {
                context.fireExceptionCaught(cause);
            }
        }
    }
}
