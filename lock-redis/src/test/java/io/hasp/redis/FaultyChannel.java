package io.hasp.redis;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.AtomicInteger;

/** Next to the socket of a Netty channel: throws an error of the JVM at a chosen step. */
final class FaultyChannel extends ChannelDuplexHandler {
    private final Steps steps;

    private FaultyChannel(Steps steps) {
        this.steps = steps;
    }

    static void in(Channel channel, Steps steps) {
        steps.step();
        channel.pipeline().addFirst(new FaultyChannel(steps));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        steps.step();
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        steps.step();
        super.channelRead(context, message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        steps.step();
        super.write(context, message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
        steps.step();
        super.flush(context);
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
