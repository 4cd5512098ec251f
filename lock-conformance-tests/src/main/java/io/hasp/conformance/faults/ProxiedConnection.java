package io.hasp.conformance.faults;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection through a {@link FaultProxy}, which can be broken alone. Thread-safe; every method takes
 * effect before it returns.
 */
public final class ProxiedConnection {
    private final FaultProxy proxy;
    private final Channel client;
    private final ForwardingQueue requests;
    private final ForwardingQueue replies;
    private final int clientPort;
    private @Nullable Channel server;
    private int serverSidePort;
    private boolean connecting = true;
    private boolean halfOpen;

    ProxiedConnection(FaultProxy proxy, Channel client, TrafficPolicy requests, TrafficPolicy replies) {
        this.proxy = proxy;
        this.client = client;
        this.requests = new ForwardingQueue(client.eventLoop(), requests);
        this.replies = new ForwardingQueue(client.eventLoop(), replies);
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
        ForwardingQueue.close(client, ConnectionEnd.RST);
        closed();
    }

    /**
     * Changes the policy for one direction. If the connection had lost bytes, it is reset.
     *
     * @param direction the direction
     * @param policy the policy from now on
     */
    public void set(Direction direction, TrafficPolicy policy) {
        proxy.onLoop(() -> {
            queue(direction).policy(policy);
            if (queue(direction).broken()) {
                closeBoth(ConnectionEnd.RST);
            }
            return true;
        });
    }

    /**
     * Ends the connection; bytes queued in the proxy are lost.
     *
     * @param how the kind of end
     */
    public void cut(ConnectionEnd how) {
        proxy.onLoop(() -> {
            if (how == ConnectionEnd.HALF_OPEN) {
                halfOpen = true;
                requests.policy(TrafficPolicy.DROP);
                requests.breakStream();
                replies.discard();
                if (server != null) {
                    ForwardingQueue.close(server, ConnectionEnd.RST);
                }
            } else {
                closeBoth(how);
            }
            return true;
        });
    }

    /**
     * Returns true while the client's end is open.
     *
     * @return false once either side has closed it
     */
    public boolean open() {
        return client.isOpen();
    }

    /**
     * Identifies the client.
     *
     * @return the port of the client's own socket
     */
    public int clientPort() {
        return clientPort;
    }

    /**
     * Identifies the connection on the server, for example in {@code CLIENT LIST}.
     *
     * @return the port of the proxy's socket towards the server; 0 before it is connected
     */
    public int serverSidePort() {
        return proxy.onLoop(() -> serverSidePort);
    }

    /**
     * Returns the number of forwarded bytes.
     *
     * @param direction the direction of the bytes
     * @return bytes since the beginning
     */
    public long passed(Direction direction) {
        return proxy.onLoop(() -> queue(direction).passed());
    }

    /**
     * Returns the number of bytes queued in the proxy.
     *
     * @param direction the direction of the bytes
     * @return bytes held or delayed now
     */
    public long waiting(Direction direction) {
        return proxy.onLoop(() -> queue(direction).waiting());
    }

    /**
     * Returns the number of dropped bytes.
     *
     * @param direction the direction of the bytes
     * @return bytes since the beginning
     */
    public long dropped(Direction direction) {
        return proxy.onLoop(() -> queue(direction).dropped());
    }

    private ForwardingQueue queue(Direction direction) {
        return direction == Direction.REQUESTS ? requests : replies;
    }

    void closeBoth(ConnectionEnd how) {
        requests.discard();
        replies.discard();
        ForwardingQueue.close(client, how);
        if (server != null) {
            ForwardingQueue.close(server, how);
        }
    }

    private void closed() {
        if (!connecting && !client.isOpen() && (server == null || !server.isOpen())) {
            requests.discard();
            replies.discard();
            proxy.forget(this);
        }
    }

    /** Queues the end of one side's connection behind its bytes, so that the other side sees it after them. */
    ChannelInboundHandlerAdapter reader(Direction direction) {
        return new ChannelInboundHandlerAdapter() {
            private ConnectionEnd end = ConnectionEnd.FIN;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                ByteBuf bytes = (ByteBuf) message;
                proxy.seen(ProxiedConnection.this, direction, bytes);
                queue(direction).bytes(bytes);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                end = ConnectionEnd.RST;
                context.close();
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                if (!(halfOpen && direction == Direction.REPLIES)) {
                    queue(direction).end(end);
                }
                closed();
            }
        };
    }
}
