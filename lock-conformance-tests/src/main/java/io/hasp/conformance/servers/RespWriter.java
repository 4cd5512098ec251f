package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes commands in Redis's protocol: each is one write to the socket, from a buffer that is kept. */
final class RespWriter {
    private static final int BUFFER = 16 * 1024;
    private static final int DIGITS = 20;

    private final OutputStream out;
    private final byte[] digits = new byte[DIGITS];
    private byte[] buffer = new byte[BUFFER];
    private int end;

    RespWriter(OutputStream out) {
        this.out = out;
    }

    void send(String... args) throws IOException {
        end = 0;
        header((byte) '*', args.length);
        for (String arg : args) {
            argument(arg);
        }
        out.write(buffer, 0, end);
    }

    private void argument(String arg) {
        int length = arg.length();
        for (int i = 0; i < length; i++) {
            if (arg.charAt(i) >= 0x80) {
                bulk(arg.getBytes(StandardCharsets.UTF_8));
                return;
            }
        }
        header((byte) '$', length);
        ensure(length + 2);
        for (int i = 0; i < length; i++) {
            buffer[end++] = (byte) arg.charAt(i);
        }
        newline();
    }

    private void bulk(byte[] bytes) {
        header((byte) '$', bytes.length);
        ensure(bytes.length + 2);
        System.arraycopy(bytes, 0, buffer, end, bytes.length);
        end += bytes.length;
        newline();
    }

    private void header(byte type, int number) {
        ensure(DIGITS + 3);
        buffer[end++] = type;
        int count = 0;
        int rest = number;
        do {
            digits[count++] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        while (count > 0) {
            buffer[end++] = digits[--count];
        }
        newline();
    }

    private void newline() {
        buffer[end++] = '\r';
        buffer[end++] = '\n';
    }

    private void ensure(int more) {
        if (end + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, end + more));
        }
    }
}
