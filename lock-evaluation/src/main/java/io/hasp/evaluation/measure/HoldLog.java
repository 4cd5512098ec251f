package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;

/**
 * The holds of one thread in their order: when each was entered and left on {@link System#nanoTime}, which the
 * processes of one machine share, its fencing token, and how the lock was held. Each thread has a log of its own: a shared one would
 * synchronise the threads, which is the task of the lock.
 */
final class HoldLog {
    static final long NO_TOKEN = Long.MIN_VALUE;
    private static final int FIELDS = 4;

    private long[] fields = new long[FIELDS * 1024];
    private int size;

    /** Entered after the lock was granted, left before its release is sent: the hold lasted at least that long. */
    void add(long entered, long left, OptionalLong token, LockMode mode) {
        if (size * FIELDS == fields.length) {
            fields = Arrays.copyOf(fields, fields.length * 2);
        }
        int at = size++ * FIELDS;
        fields[at] = entered;
        fields[at + 1] = left;
        fields[at + 2] = token.orElse(NO_TOKEN);
        fields[at + 3] = mode.number();
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

    LockMode mode(int hold) {
        return LockMode.of(fields[hold * FIELDS + 3]);
    }

    String toText() {
        ByteBuffer bytes = ByteBuffer.allocate(size * FIELDS * Long.BYTES);
        bytes.asLongBuffer().put(fields, 0, size * FIELDS);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    static HoldLog ofText(String text) {
        LongBuffer sent = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)).asLongBuffer();
        HoldLog log = new HoldLog();
        log.size = sent.remaining() / FIELDS;
        log.fields = new long[Math.max(1, log.size) * FIELDS];
        sent.get(log.fields, 0, log.size * FIELDS);
        return log;
    }
}
