package io.hasp.redis;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.client.NettyHook;

/** Next to the socket of a Netty channel: throws an error of the JVM at a chosen step. Replies come in pieces, with a step for each. */
final class FaultyChannel extends ChannelDuplexHandler {
    private static final int BYTES_AT_ONCE = 7;

    private final Steps steps;

    private FaultyChannel(Steps steps) {
        this.steps = steps;
    }

    static void in(Channel channel, Steps steps) {
        steps.step();
        channel.pipeline().addFirst(new FaultyChannel(steps));
    }

    /** Of a Redisson client: puts one into each channel. */
    static NettyHook hook(Steps steps) {
        return new NettyHook() {
            @Override
            public void afterBoostrapInitialization(Bootstrap bootstrap) {}

            @Override
            public void afterChannelInitialization(Channel channel) {
                in(channel, steps);
            }
        };
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        steps.step();
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable()) {
                steps.step();
                super.channelRead(context, bytes.readRetainedSlice(Math.min(BYTES_AT_ONCE, bytes.readableBytes())));
            }
        } finally {
            bytes.release();
        }
        steps.step();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        steps.step();
        super.write(context, message, promise);
        steps.step();
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
        steps.step();
        super.flush(context);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        super.close(context, promise);
        steps.step();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        steps.step();
    }

    /** Counts down to the one that fails. Thread-safe. */
    static final class Steps {
        private final AtomicInteger left = new AtomicInteger();
        private final AtomicInteger errors = new AtomicInteger();

        /** Zero is never. */
        void failAt(int step) {
            left.set(step);
        }

        int errors() {
            return errors.get();
        }

        void step() {
            if (left.get() > 0 && left.decrementAndGet() == 0) {
                errors.incrementAndGet();
                throw new OutOfMemoryError("planted");
            }
        }
    }
}
