package io.hasp.conformance.servers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads replies in Redis's protocol through a buffer that is kept. */
final class RespReader {
    private static final int BUFFER = 16 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[BUFFER];
    private int start;
    private int end;

    RespReader(InputStream in) {
        this.in = in;
    }

    /** The next reply; an error reply comes as a {@link RespError}. */
    @Nullable
    Object next() throws IOException {
        byte type = nextByte();
        return switch (type) {
            case '+' -> line();
            case '-' -> new RespError(line());
            case ':' -> number();
            case '$' -> bulkString();
            case '*' -> array();
            default -> throw new IOException("not a Redis server: reply starts with byte " + type);
        };
    }

    private @Nullable String bulkString() throws IOException {
        int length = Math.toIntExact(number());
        if (length < 0) {
            return null;
        }
        fill(length + 2);
        String text = new String(buffer, start, length, StandardCharsets.UTF_8);
        start += length + 2;
        return text;
    }

    private @Nullable List<@Nullable Object> array() throws IOException {
        long size = number();
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>((int) size);
        for (long i = 0; i < size; i++) {
            list.add(next());
        }
        return list;
    }

    private long number() throws IOException {
        boolean negative = false;
        long value = 0;
        for (byte b = nextByte(); b != '\r'; b = nextByte()) {
            if (b == '-') {
                negative = true;
            } else {
                value = value * 10 + (b - '0');
            }
        }
        nextByte();
        return negative ? -value : value;
    }

    private String line() throws IOException {
        int length = 0;
        while (true) {
            fill(length + 2);
            if (buffer[start + length] == '\r') {
                String text = new String(buffer, start, length, StandardCharsets.UTF_8);
                start += length + 2;
                return text;
            }
            length++;
        }
    }

    private byte nextByte() throws IOException {
        fill(1);
        return buffer[start++];
    }

    /** Reads until that many unread bytes are in the buffer. */
    private void fill(int wanted) throws IOException {
        if (end - start >= wanted) {
            return;
        }
        if (start == end) {
            start = 0;
            end = 0;
        } else if (start + wanted > buffer.length) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (wanted > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, wanted));
        }
        while (end - start < wanted) {
            int count = in.read(buffer, end, buffer.length - end);
            if (count < 0) {
                throw new EOFException("the Redis server closed the connection");
            }
            end += count;
        }
    }
}
