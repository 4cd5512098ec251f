package io.hasp.conformance.faults;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A proxy in this JVM between clients and one server, which breaks their TCP connections: one alone or all, now and in
 * the future. It needs no permission and no tool of the system. It can't simulate loss of packets below TCP: it always
 * accepts a connection, and acknowledges the bytes that it holds or drops. Use {@link NetworkNamespace} for that.
 *
 * <p>Thread-safe. Every method takes effect before it returns: after {@link #set} with {@link TrafficPolicy#HOLD} no
 * byte passes.
 */
public final class FaultProxy implements AutoCloseable {
    private static final long QUIET_MILLIS = 0;
    private static final long CLOSE_SECONDS = 10;

    /** Present in Netty 4.1 and 4.2; the suite runs with either. */
    @SuppressWarnings("deprecation")
    private final EventLoopGroup group = new NioEventLoopGroup(1);

    private final Channel listener;
    private final Set<ProxiedConnection> connections = new LinkedHashSet<>();
    private final Map<Direction, TrafficPolicy> policies = new EnumMap<>(Direction.class);
    private final Map<Direction, Long> droppedByEnded = new EnumMap<>(Direction.class);
    private final List<Trigger> triggers = new ArrayList<>();
    private InetSocketAddress server;
    private boolean refusing;
    private int refused;

    private record Trigger(
            Direction direction,
            String text,
            Consumer<ProxiedConnection> action,
            CompletableFuture<ProxiedConnection> fired) {}

    private FaultProxy(InetSocketAddress server, InetAddress listenOn) {
        this.server = server;
        for (Direction direction : Direction.values()) {
            policies.put(direction, TrafficPolicy.PASS);
            droppedByEnded.put(direction, 0L);
        }
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(listenOn, 0)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(QUIET_MILLIS, CLOSE_SECONDS, TimeUnit.SECONDS);
            throw new IllegalStateException("can't listen on " + listenOn, bound.cause());
        }
        listener = bound.channel();
    }

    /**
     * Starts a proxy in front of a server on this machine.
     *
     * @param port the server's port on 127.0.0.1; the server need not run yet
     * @return a proxy without faults, on a free port of 127.0.0.1; the caller closes it
     */
    public static FaultProxy before(int port) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return before(new InetSocketAddress(loopback, port), loopback);
    }

    /**
     * Starts a proxy in front of any server.
     *
     * @param server the server's address
     * @param listenOn the address to listen on, for example {@link NetworkNamespace#outsideAddress}
     * @return a proxy without faults, on a free port; the caller closes it
     * @throws IllegalStateException if it can't listen there
     */
    public static FaultProxy before(InetSocketAddress server, InetAddress listenOn) {
        return new FaultProxy(server, listenOn);
    }

    /**
     * Returns the port for clients.
     *
     * @return the port
     */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /**
     * Changes the policy for one direction of all connections, including future ones. Connections that had lost bytes
     * are reset.
     *
     * @param direction the direction
     * @param policy the policy from now on
     */
    public void set(Direction direction, TrafficPolicy policy) {
        onLoop(() -> {
            policies.put(direction, policy);
            List.copyOf(connections).forEach(connection -> connection.set(direction, policy));
            return true;
        });
    }

    /**
     * Changes the policy for both directions, as {@link #set} does.
     *
     * @param policy the policy from now on
     */
    public void set(TrafficPolicy policy) {
        for (Direction direction : Direction.values()) {
            set(direction, policy);
        }
    }

    /**
     * Ends all present connections.
     *
     * @param how the kind of end
     */
    public void cut(ConnectionEnd how) {
        onLoop(() -> {
            List.copyOf(connections).forEach(connection -> connection.cut(how));
            return true;
        });
    }

    /**
     * Connects every new connection to another server. Present connections stay.
     *
     * @param port the server's port on 127.0.0.1
     */
    public void leadTo(int port) {
        onLoop(() -> server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Resets every new connection at once, from now on. Present connections stay. */
    public void refuse() {
        onLoop(() -> refusing = true);
    }

    /**
     * Returns the number of connections reset because of {@link #refuse}.
     *
     * @return a number that only grows
     */
    public int refused() {
        return onLoop(() -> refused);
    }

    /** Lifts all faults; held bytes pass first. Connections that lost bytes are reset. Removes triggers. */
    public void heal() {
        onLoop(() -> {
            refusing = false;
            triggers.clear();
            return true;
        });
        set(TrafficPolicy.PASS);
    }

    /**
     * Runs an action when certain bytes arrive, before they pass on: once, on the first connection whose stream
     * contains them in one piece.
     *
     * @param direction the direction to search
     * @param text the text to find, as ISO-8859-1; a text that arrives in two pieces may be missed
     * @param action receives the connection, on the proxy's thread; it must not block
     * @return completed with the connection after the action
     */
    public CompletableFuture<ProxiedConnection> when(
            Direction direction, String text, Consumer<ProxiedConnection> action) {
        CompletableFuture<ProxiedConnection> fired = new CompletableFuture<>();
        onLoop(() -> triggers.add(new Trigger(direction, text, action, fired)));
        return fired;
    }

    /**
     * Returns the present connections.
     *
     * @return those with an open end, the oldest first
     */
    public List<ProxiedConnection> connections() {
        return onLoop(() -> List.copyOf(connections));
    }

    /**
     * Returns the number of bytes dropped on all connections. Ended connections count too: a client may close one at
     * any time.
     *
     * @param direction the direction of the bytes
     * @return bytes since the beginning
     */
    public long dropped(Direction direction) {
        return onLoop(() -> droppedByEnded.getOrDefault(direction, 0L)
                + connections.stream()
                        .mapToLong(connection -> connection.dropped(direction))
                        .sum());
    }

    /** Ends all connections and frees the port. Idempotent. */
    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        listener.close().awaitUninterruptibly();
        cut(ConnectionEnd.RST);
        group.shutdownGracefully(QUIET_MILLIS, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void accept(SocketChannel client) {
        if (refusing) {
            refused++;
            ForwardingQueue.close(client, ConnectionEnd.RST);
            return;
        }
        ProxiedConnection connection =
                new ProxiedConnection(this, client, policy(Direction.REQUESTS), policy(Direction.REPLIES));
        connections.add(connection);
        client.pipeline().addLast(connection.reader(Direction.REQUESTS));
        new Bootstrap()
                .group(client.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(connection.reader(Direction.REPLIES))
                .connect(server)
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        connection.serverConnected(connected.channel());
                    } else {
                        connection.serverRefused();
                    }
                });
    }

    private TrafficPolicy policy(Direction direction) {
        return policies.getOrDefault(direction, TrafficPolicy.PASS);
    }

    void seen(ProxiedConnection connection, Direction direction, ByteBuf bytes) {
        if (triggers.isEmpty()) {
            return;
        }
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        for (Trigger trigger : List.copyOf(triggers)) {
            if (trigger.direction() == direction && text.contains(trigger.text())) {
                triggers.remove(trigger);
                trigger.action().accept(connection);
                trigger.fired().complete(connection);
            }
        }
    }

    void forget(ProxiedConnection connection) {
        if (connections.remove(connection)) {
            for (Direction direction : Direction.values()) {
                droppedByEnded.merge(direction, connection.dropped(direction), Long::sum);
            }
        }
    }

    /** All state lives on one thread; callers wait for it. */
    <T> T onLoop(Callable<T> action) {
        EventLoop loop = listener.eventLoop();
        try {
            return loop.inEventLoop()
                    ? action.call()
                    : loop.submit(action).syncUninterruptibly().getNow();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
