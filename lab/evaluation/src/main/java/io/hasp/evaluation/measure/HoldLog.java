package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The holds of one thread in order. Each has its lock, the times of entering and leaving on {@link System#nanoTime}
 * (shared by the processes of one machine), its fencing token, and its mode. Each thread has a log of its own: a shared
 * log would synchronize the threads, which is the task of the lock.
 *
 * <p>A lock that is taken a million times a second would fill the memory with numbers. So each hold is stored as the
 * differences to the one before, seven bits to a byte: about six bytes instead of forty.
 */
final class HoldLog {
    static final long NO_TOKEN = Long.MIN_VALUE;

    private static final int LONGEST = 60;
    private static final int HAS_TOKEN = 1;
    private static final int OTHER_MODE = 2;
    private static final int FLAGS = 2;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private byte[] bytes;
    private int length;
    private int size;

    private int lock;
    private long left;
    private long token;
    private long mode;

    HoldLog() {
        this(new byte[LONGEST << BITS]);
    }

    private HoldLog(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Entered after the lock was granted, left before its release is sent: the hold lasted at least that long.
     *
     * @param itsLock which of the locks of this thread, from 0
     */
    void add(int itsLock, long entered, long itsLeft, OptionalLong itsToken, LockMode itsMode) {
        if (bytes.length - length < LONGEST) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        long number = itsMode.number();
        long flags = (itsToken.isPresent() ? HAS_TOKEN : 0) | (number == mode ? 0 : OTHER_MODE);
        write((folded(itsLock - lock) << FLAGS) | flags);
        write(folded(entered - left));
        write(folded(itsLeft - entered));
        if (itsToken.isPresent()) {
            write(folded(itsToken.getAsLong() - token));
            token = itsToken.getAsLong();
        }
        if (number != mode) {
            write(number);
            mode = number;
        }
        lock = itsLock;
        left = itsLeft;
        size++;
    }

    /** Small numbers of either sign become small numbers without a sign. */
    private static long folded(long number) {
        return (number << 1) ^ (number >> (Long.SIZE - 1));
    }

    private static long unfolded(long number) {
        return (number >>> 1) ^ -(number & 1);
    }

    private void write(long number) {
        long rest = number;
        while ((rest & -MORE) != 0) {
            bytes[length++] = (byte) (rest | MORE);
            rest >>>= BITS;
        }
        bytes[length++] = (byte) rest;
    }

    /** Returns the number of holds added here; zero for a log that another process sent. */
    int size() {
        return size;
    }

    LongStream entered() {
        LongStream.Builder all = LongStream.builder();
        Cursor hold = cursor();
        while (hold.next()) {
            all.add(hold.entered);
        }
        return all.build();
    }

    /** Before the first hold. */
    Cursor cursor() {
        return new Cursor();
    }

    /** One hold after the other. */
    final class Cursor {
        private int at;
        private int lock;
        private long entered;
        private long left;
        private long lastToken;
        private long token;
        private LockMode mode = LockMode.EXCLUSIVE;

        /** False at the end. */
        boolean next() {
            if (at == length) {
                return false;
            }
            long head = read();
            lock += (int) unfolded(head >>> FLAGS);
            entered = left + unfolded(read());
            left = entered + unfolded(read());
            token = NO_TOKEN;
            if ((head & HAS_TOKEN) != 0) {
                lastToken += unfolded(read());
                token = lastToken;
            }
            if ((head & OTHER_MODE) != 0) {
                mode = LockMode.of(read());
            }
            return true;
        }

        private long read() {
            long number = 0;
            int shift = 0;
            byte next = bytes[at++];
            while (next < 0) {
                number |= (long) (next & (MORE - 1)) << shift;
                shift += BITS;
                next = bytes[at++];
            }
            return number | (long) next << shift;
        }

        int lock() {
            return lock;
        }

        long entered() {
            return entered;
        }

        long left() {
            return left;
        }

        long token() {
            return token;
        }

        LockMode mode() {
            return mode;
        }
    }

    String toText() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, length));
    }

    static HoldLog ofText(String text) {
        HoldLog log = new HoldLog(Base64.getUrlDecoder().decode(text));
        log.length = log.bytes.length;
        return log;
    }
}
