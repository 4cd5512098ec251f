package io.hasp.conformance.processes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A counter in a file, which processes increment by reading and writing it, under a lock. Unfenced, two simultaneous
 * increments lose an update. Fenced, each access has a token, and an access with a smaller token than an earlier one is
 * refused. The token is checked and the value written under a lock of the operating system, as in a database. For
 * readers that hold a lock together the file keeps two tokens: the largest of all, and the largest of writers.
 * Thread-safe.
 */
public final class CounterFile implements AutoCloseable {
    /** File locks exclude processes only, not the threads of one. */
    private static final ReentrantLock IN_THIS_JVM = new ReentrantLock();

    private static final int TOKEN_AT = Long.BYTES;
    private static final int WRITER_AT = 2 * Long.BYTES;

    private final FileChannel channel;

    private CounterFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens a counter.
     *
     * @param file created with the count 0 if missing
     * @return the counter; the caller closes it
     * @throws IOException if that can't be done
     */
    public static CounterFile open(Path file) throws IOException {
        return new CounterFile(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /**
     * Reads it.
     *
     * @return the count
     * @throws IOException if that can't be done
     */
    public long read() throws IOException {
        return get(0);
    }

    /**
     * Overwrites it.
     *
     * @param count the new count
     * @throws IOException if that can't be done
     */
    public void write(long count) throws IOException {
        put(0, count);
    }

    /**
     * Reads the counter, and refuses smaller tokens from now on.
     *
     * @param token the reader's fencing token
     * @return the count; empty if a larger token was seen
     * @throws IOException if that can't be done
     */
    public OptionalLong read(long token) throws IOException {
        return fenced(token, null);
    }

    /**
     * Overwrites it, unless a larger token was seen.
     *
     * @param token the writer's fencing token
     * @param count the new count
     * @return false if it was refused
     * @throws IOException if that can't be done
     */
    public boolean write(long token, long count) throws IOException {
        return fenced(token, count).isPresent();
    }

    /**
     * Reads the counter for one of several readers, and refuses writers with smaller tokens from now on, but no other
     * reader.
     *
     * @param token the reader's fencing token
     * @return the count; empty if a writer had as large a token
     * @throws IOException if that can't be done
     */
    public OptionalLong readShared(long token) throws IOException {
        IN_THIS_JVM.lock();
        try (FileLock ignored = channel.lock()) {
            if (token <= get(WRITER_AT)) {
                return OptionalLong.empty();
            }
            put(TOKEN_AT, Math.max(token, get(TOKEN_AT)));
            return OptionalLong.of(get(0));
        } finally {
            IN_THIS_JVM.unlock();
        }
    }

    private OptionalLong fenced(long token, @Nullable Long write) throws IOException {
        IN_THIS_JVM.lock();
        try (FileLock ignored = channel.lock()) {
            if (token < get(TOKEN_AT)) {
                return OptionalLong.empty();
            }
            put(TOKEN_AT, token);
            put(WRITER_AT, token);
            if (write != null) {
                put(0, write);
            }
            return OptionalLong.of(get(0));
        } finally {
            IN_THIS_JVM.unlock();
        }
    }

    private long get(int at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
        channel.read(bytes, at);
        return bytes.hasRemaining() ? 0 : bytes.getLong(0);
    }

    private void put(int at, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
        channel.write(bytes, at);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
