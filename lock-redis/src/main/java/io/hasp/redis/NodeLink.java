package io.hasp.redis;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One socket to one node, on which several replies may be outstanding: nobody has to wait for a slow node, and what is sent
 * later also arrives later. The replies come in the order of the calls. Jedis writes and reads the protocol; its own
 * connection can't be asked whether a reply is there. Used by one thread at a time.
 */
final class NodeLink {
    /** Servers and networks cut sockets that are idle for long without a word. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** RESP2 has none. */
    private static final @Nullable PushConsumerChain NO_PUSHES = null;

    /** What becomes of a call. Exactly one of the two is not null. */
    @FunctionalInterface
    interface Sink {
        void answered(@Nullable String reply, @Nullable RuntimeException failure);
    }

    private record Awaited(Call call, Sink sink, long sentAt) {}

    final int generation;
    private final String server;
    private final Socket socket;
    private final RedisInputStream in;
    private final RedisOutputStream out;
    private final Deque<Awaited> awaited = new ArrayDeque<>();
    private final int timeoutMillis;
    private long usedAt = System.nanoTime();

    /** Connects, which the configuration's command timeout bounds; throws as {@link JedisConnection#notConnected} says. */
    static NodeLink to(RedisConfig config, int generation) {
        JedisClientConfig client = JedisConnection.client(config);
        Socket socket = null;
        try {
            socket =
                    new DefaultJedisSocketFactory(new HostAndPort(config.host(), config.port()), client).createSocket();
            NodeLink link = new NodeLink(config, socket, generation);
            link.introduce(config);
            return link;
        } catch (RuntimeException | IOException e) {
            close(socket);
            throw JedisConnection.notConnected(
                    config.server(), e instanceof RuntimeException failure ? failure : new JedisConnectionException(e));
        }
    }

    private NodeLink(RedisConfig config, Socket socket, int generation) throws IOException {
        this.server = config.server();
        this.timeoutMillis = (int) config.commandTimeout().toMillis();
        this.socket = socket;
        this.generation = generation;
        this.in = new RedisInputStream(socket.getInputStream());
        this.out = new RedisOutputStream(socket.getOutputStream());
    }

    private void introduce(RedisConfig config) throws IOException {
        if (config.password().isPresent()) {
            CommandArguments auth = new CommandArguments(Protocol.Command.AUTH);
            config.user().ifPresent(auth::add);
            ask(auth.add(config.password().get()));
        }
        if (config.database() != 0) {
            ask(new CommandArguments(Protocol.Command.SELECT).add(config.database()));
        }
    }

    private void ask(CommandArguments command) throws IOException {
        Protocol.sendCommand(out, command);
        out.flush();
        Protocol.read(in, NO_PUSHES);
    }

    /** Sends a call. The sink hears of it exactly once, now at the earliest. */
    void send(Call call, Sink sink) {
        awaited.add(new Awaited(call, sink, System.nanoTime()));
        write(call.byDigest());
    }

    private void write(CommandArguments command) {
        try {
            Protocol.sendCommand(out, command);
            out.flush();
        } catch (IOException | JedisConnectionException e) {
            discard(e);
        }
    }

    boolean awaitsReply() {
        return !awaited.isEmpty();
    }

    /** Whether the oldest reply has been awaited for longer than that. */
    boolean overdue(long nanos) {
        Awaited oldest = awaited.peek();
        return oldest != null && System.nanoTime() - oldest.sentAt() > nanos;
    }

    boolean stale() {
        return System.nanoTime() - usedAt > FRESH_NANOS;
    }

    /** Takes the replies that are there. False if there was none. */
    boolean receive() {
        boolean any = false;
        try {
            while (awaitsReply() && in.available() > 0) {
                receiveOne();
                any = true;
            }
        } catch (IOException | JedisConnectionException e) {
            discard(e);
        }
        return any;
    }

    /** Waits for a reply, and takes it. False if none came in time, or the link broke. */
    boolean receiveWithin(Duration time) {
        try {
            socket.setSoTimeout(Math.max(1, (int) time.toMillis()));
            // Looks at the first byte and leaves it: a timeout now does no harm.
            in.peek(Protocol.DOLLAR_BYTE);
            receiveOne();
            return true;
        } catch (JedisConnectionException e) {
            if (!(e.getCause() instanceof SocketTimeoutException)) {
                discard(e);
            }
        } catch (IOException e) {
            discard(e);
        }
        return false;
    }

    private void receiveOne() throws IOException {
        Awaited oldest = awaited.element();
        socket.setSoTimeout(timeoutMillis);
        try {
            byte[] reply = (byte[]) Protocol.read(in, NO_PUSHES);
            usedAt = System.nanoTime();
            awaited.remove();
            oldest.sink().answered(new String(reply, StandardCharsets.UTF_8), null);
        } catch (JedisDataException e) {
            awaited.remove();
            String error = String.valueOf(e.getMessage());
            if (error.startsWith("NOSCRIPT")) {
                awaited.add(oldest);
                write(oldest.call().byText());
            } else {
                oldest.sink().answered(null, new ServerError(error));
            }
        }
    }

    boolean broken() {
        return socket.isClosed();
    }

    /** Sends a call and waits for its reply, as {@link RedisConnection#evaluate} does. */
    String answer(Call call) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        send(call, (reply, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(reply);
            }
        });
        while (!answer.isDone() && !overdue(TimeUnit.MILLISECONDS.toNanos(timeoutMillis))) {
            receiveWithin(Duration.ofMillis(timeoutMillis));
        }
        if (!answer.isDone()) {
            discard(new SocketTimeoutException("timed out"));
        }
        return answer.join();
    }

    /** Ends it. Late replies would answer the next call, so none is waited for. */
    void discard(Throwable why) {
        close(socket);
        while (!awaited.isEmpty()) {
            awaited.remove().sink().answered(null, Failures.silent(server, why));
        }
    }

    private static void close(@Nullable Socket socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more in any case.
            }
        }
    }
}
