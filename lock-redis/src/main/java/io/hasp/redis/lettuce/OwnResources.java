package io.hasp.redis.lettuce;

import io.hasp.spi.ClientThreads;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The threads, timers and name resolvers below a client of our own. Thread-safe. */
final class OwnResources implements NettyCustomizer {
    private final NettyCustomizer others;
    private final ClientResources resources;
    private final Set<EventLoop> loops = ConcurrentHashMap.newKeySet();

    /** They start no thread before it is needed. */
    OwnResources(NettyCustomizer others) {
        this.others = others;
        this.resources = DefaultClientResources.builder()
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(this)
                .threadFactoryProvider(pool -> ClientThreads.inheritingNothing(new DefaultThreadFactory(pool, true)))
                .build();
    }

    ClientResources resources() {
        return resources;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        others.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        loops.add(channel.eventLoop());
        others.afterChannelInitialized(channel);
    }

    /**
     * To be called while the threads still run. Netty has a resolver, with a socket, for each of them, and closes it when its thread
     * has ended, which is too late for the socket.
     */
    void closeResolvers() {
        for (EventLoop loop : loops) {
            try {
                resources.addressResolverGroup().getResolver(loop).close();
            } catch (IllegalStateException e) {
                // It ends already.
            }
        }
    }

    /** On another thread: Netty starts one for its promises then, which would inherit from this one. */
    void end(Duration atMost) {
        long millis = atMost.toMillis();
        try {
            ClientThreads.callElsewhere(
                    () -> resources.shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Lettuce's threads could not be ended", e);
        }
    }
}
