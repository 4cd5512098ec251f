package io.hasp.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One socket, connected when it is needed. Used by one thread at a time. */
final class Lane {
    /** Servers and networks cut sockets that are idle for long without a word. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String server;
    private final Supplier<LaneConnection> connect;
    private @Nullable LaneConnection connection;
    private int generation;
    private long usedAt;

    Lane(String server, Supplier<LaneConnection> connect) {
        this.server = server;
        this.connect = connect;
    }

    /**
     * Sends all, then reads all.
     *
     * @param wanted sockets of another generation are replaced first
     * @return false if the socket broke
     */
    boolean exchange(List<Parcel> batch, int wanted) {
        LaneConnection socket;
        try {
            socket = socket(wanted);
        } catch (RuntimeException e) {
            RuntimeException failure = JedisConnection.notConnected(server, e);
            batch.forEach(parcel -> parcel.fail(failure));
            return true;
        }
        try {
            batch.forEach(parcel -> socket.sendCommand(parcel.command));
            socket.lookForReply();
            batch.forEach(parcel -> receive(socket, parcel));
            usedAt = System.nanoTime();
            return true;
        } catch (JedisException e) {
            disconnect();
            RuntimeException failure = Failures.silent(server, e);
            batch.forEach(parcel -> parcel.fail(failure));
            return false;
        }
    }

    private static void receive(LaneConnection socket, Parcel parcel) {
        try {
            parcel.reply.complete(socket.getBulkReply());
        } catch (JedisDataException e) {
            parcel.fail(new ServerError(String.valueOf(e.getMessage())));
        }
    }

    private LaneConnection socket(int wanted) {
        if (generation != wanted || System.nanoTime() - usedAt > FRESH_NANOS) {
            disconnect();
        }
        LaneConnection socket = connection;
        if (socket == null) {
            socket = connect.get();
            connection = socket;
            generation = wanted;
        }
        return socket;
    }

    void disconnect() {
        LaneConnection socket = connection;
        connection = null;
        if (socket != null) {
            try {
                socket.close();
            } catch (JedisException e) {
                // It is of no use any more in any case.
            }
        }
    }
}
