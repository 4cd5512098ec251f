package io.hasp.evaluation.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The holds of one thread in their order: when each was entered and left on {@link System#nanoTime}, which the
 * processes of one machine share, and its fencing token. Each thread has a log of its own: a shared one would
 * synchronise the threads, which is the task of the lock.
 */
final class HoldLog {
    static final long NO_TOKEN = Long.MIN_VALUE;
    private static final int FIELDS = 3;

    private long[] fields = new long[FIELDS * 1024];
    private int size;

    /** Entered after the lock was granted, left before its release is sent: the hold lasted at least that long. */
    void add(long entered, long left, OptionalLong token) {
        if (size * FIELDS == fields.length) {
            fields = Arrays.copyOf(fields, fields.length * 2);
        }
        int at = size++ * FIELDS;
        fields[at] = entered;
        fields[at + 1] = left;
        fields[at + 2] = token.orElse(NO_TOKEN);
    }

    int size() {
        return size;
    }

    long entered(int hold) {
        return fields[hold * FIELDS];
    }

    long left(int hold) {
        return fields[hold * FIELDS + 1];
    }

    long token(int hold) {
        return fields[hold * FIELDS + 2];
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(size);
        for (int at = 0; at < size * FIELDS; at++) {
            out.writeLong(fields[at]);
        }
    }

    static HoldLog read(DataInput in) throws IOException {
        HoldLog log = new HoldLog();
        log.size = in.readInt();
        log.fields = new long[Math.max(1, log.size) * FIELDS];
        for (int at = 0; at < log.size * FIELDS; at++) {
            log.fields[at] = in.readLong();
        }
        return log;
    }
}
