package io.hasp.redis.redisson;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.spi.ClientThreads;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.HashedWheelTimer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.redisson.client.RedisClientConfig;

/** Threads, timer and name resolver below sockets of Redisson's; none starts before it is needed. Thread-safe. */
final class OwnThreads {
    private static final int SOCKET_THREADS = 2;
    private static final long CLOSING_MILLIS = 2_000;

    @SuppressWarnings("deprecation") // What replaces it is not in Netty 4.1.
    private final EventLoopGroup sockets = new NioEventLoopGroup(SOCKET_THREADS, ClientThreads.named("hasp-redisson"));

    private final HashedWheelTimer timer =
            new HashedWheelTimer(ClientThreads.named("hasp-redisson-timer"), 10, TimeUnit.MILLISECONDS);
    private final DnsAddressResolverGroup names =
            new DnsAddressResolverGroup(NioDatagramChannel.class, DnsServerAddressStreamProviders.platformDefault());
    /** One, so that messages stay in their order. */
    private final ExecutorService messages = PlatformThreads.atMost(1);

    RedisClientConfig lendTo(RedisClientConfig config) {
        return config.setGroup(sockets).setTimer(timer).setResolverGroup(names).setExecutor(messages);
    }

    void end() {
        names.close();
        sockets.shutdownGracefully(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
        timer.stop();
        messages.shutdown();
    }
}
