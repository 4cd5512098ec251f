package io.hasp.conformance.faults;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection through a {@link FaultProxy}, to be broken alone. Thread-safe; every method takes effect before
 * it returns.
 */
public final class ProxiedConnection {
    private final FaultProxy proxy;
    private final Channel client;
    private final Pipe requests;
    private final Pipe replies;
    private final int clientPort;
    private @Nullable Channel server;
    private int serverSidePort;
    private boolean connecting = true;
    private boolean halfOpen;

    ProxiedConnection(FaultProxy proxy, Channel client, Flow requests, Flow replies) {
        this.proxy = proxy;
        this.client = client;
        this.requests = new Pipe(client.eventLoop(), requests);
        this.replies = new Pipe(client.eventLoop(), replies);
        this.replies.leadsTo(client);
        this.clientPort = ((InetSocketAddress) client.remoteAddress()).getPort();
    }

    void serverConnected(Channel channel) {
        connecting = false;
        server = channel;
        serverSidePort = ((InetSocketAddress) channel.localAddress()).getPort();
        requests.leadsTo(channel);
    }

    void serverRefused() {
        connecting = false;
        Pipe.close(client, Cut.RST);
        closed();
    }

    /**
     * Changes what happens to one direction. If it had lost bytes, the connection is reset.
     *
     * @param direction which way
     * @param flow from now on
     */
    public void set(Direction direction, Flow flow) {
        proxy.onLoop(() -> {
            pipe(direction).flow(flow);
            if (pipe(direction).broken()) {
                closeBoth(Cut.RST);
            }
            return true;
        });
    }

    /**
     * Ends the connection; what waits in the proxy is lost.
     *
     * @param how in which manner
     */
    public void cut(Cut how) {
        proxy.onLoop(() -> {
            if (how == Cut.HALF_OPEN) {
                halfOpen = true;
                requests.flow(Flow.DROP);
                requests.breakStream();
                replies.discard();
                if (server != null) {
                    Pipe.close(server, Cut.RST);
                }
            } else {
                closeBoth(how);
            }
            return true;
        });
    }

    /**
     * Whether the client's end is open.
     *
     * @return false once it is closed, by whomever
     */
    public boolean open() {
        return client.isOpen();
    }

    /**
     * Which client it is.
     *
     * @return the port of the client's own socket
     */
    public int clientPort() {
        return clientPort;
    }

    /**
     * As whom the server knows it, for example in {@code CLIENT LIST}.
     *
     * @return the port of the proxy's socket towards the server; 0 before that is connected
     */
    public int serverSidePort() {
        return proxy.onLoop(() -> serverSidePort);
    }

    /**
     * How many bytes came through.
     *
     * @param direction which way
     * @return bytes since the beginning
     */
    public long passed(Direction direction) {
        return proxy.onLoop(() -> pipe(direction).passed());
    }

    /**
     * How many bytes wait in the proxy.
     *
     * @param direction which way
     * @return bytes held or delayed now
     */
    public long waiting(Direction direction) {
        return proxy.onLoop(() -> pipe(direction).waiting());
    }

    /**
     * How many bytes vanished.
     *
     * @param direction which way
     * @return bytes since the beginning
     */
    public long dropped(Direction direction) {
        return proxy.onLoop(() -> pipe(direction).dropped());
    }

    private Pipe pipe(Direction direction) {
        return direction == Direction.REQUESTS ? requests : replies;
    }

    void closeBoth(Cut how) {
        requests.discard();
        replies.discard();
        Pipe.close(client, how);
        if (server != null) {
            Pipe.close(server, how);
        }
    }

    private void closed() {
        if (!connecting && !client.isOpen() && (server == null || !server.isOpen())) {
            requests.discard();
            replies.discard();
            proxy.forget(this);
        }
    }

    /** What the end of the connection on one side means to the other travels through the pipe, behind the bytes. */
    ChannelInboundHandlerAdapter reader(Direction direction) {
        return new ChannelInboundHandlerAdapter() {
            private Cut end = Cut.FIN;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf bytes = (ByteBuf) message;
                proxy.seen(ProxiedConnection.this, direction, bytes);
                pipe(direction).bytes(bytes);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                end = Cut.RST;
                context.close();
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                if (!(halfOpen && direction == Direction.REPLIES)) {
                    pipe(direction).end(end);
                }
                closed();
            }
        };
    }
}
