package io.hasp.spring.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A process's own view of its leadership, in memory that outlives its kill. Times are those of the monotonic clock that
 * the processes of one machine share. Thread-safe.
 */
final class LeadershipFile {
    private static final int TIMES = 2_000;
    private static final int TERM_BYTES = 2 * Long.BYTES;
    private static final int NEWS = TIMES * TERM_BYTES;

    private final MappedByteBuffer memory;
    private int terms;
    private int news;
    private int revocations;

    private LeadershipFile(MappedByteBuffer memory) {
        this.memory = memory;
    }

    /**
     * A time for which a process was certain to lead.
     *
     * @param begin after it looked for the first time
     * @param end before it looked for the last time
     */
    record Term(String process, long begin, long end) {
        boolean overlaps(Term other) {
            return begin < other.end && other.begin < end;
        }

        long millis() {
            return (end - begin) / 1_000_000;
        }
    }

    /** A notification of its candidate. */
    record News(String process, boolean begins, long at) {}

    static LeadershipFile create(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new LeadershipFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, NEWS + TIMES * Long.BYTES));
        }
    }

    synchronized void begins(long now) {
        memory.putLong(terms * TERM_BYTES + Long.BYTES, now);
        memory.putLong(terms * TERM_BYTES, now);
        terms++;
    }

    synchronized void leads(long before) {
        memory.putLong((terms - 1) * TERM_BYTES + Long.BYTES, before);
    }

    synchronized void granted() {
        tell(System.nanoTime());
    }

    synchronized void revoked() {
        revocations++;
        tell(-System.nanoTime());
    }

    /** The number of notified ends so far: between two leaderships there is one. */
    synchronized int revocations() {
        return revocations;
    }

    private void tell(long at) {
        memory.putLong(NEWS + news * Long.BYTES, at);
        news++;
    }

    static List<Term> terms(String process, Path file) {
        ByteBuffer memory = read(file);
        List<Term> terms = new ArrayList<>();
        for (int at = 0; memory.getLong(at) != 0; at += TERM_BYTES) {
            terms.add(new Term(process, memory.getLong(at), memory.getLong(at + Long.BYTES)));
        }
        return terms;
    }

    static List<News> news(String process, Path file) {
        ByteBuffer memory = read(file);
        return IntStream.range(0, TIMES)
                .mapToLong(i -> memory.getLong(NEWS + i * Long.BYTES))
                .takeWhile(at -> at != 0)
                .mapToObj(at -> new News(process, at > 0, Math.abs(at)))
                .toList();
    }

    /** Empty if its process has not come so far. */
    private static ByteBuffer read(Path file) {
        try {
            return ByteBuffer.wrap(Arrays.copyOf(
                    Files.exists(file) ? Files.readAllBytes(file) : new byte[0], NEWS + TIMES * Long.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
