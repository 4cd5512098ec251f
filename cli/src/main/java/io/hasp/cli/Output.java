package io.hasp.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The standard output. Remembers its first failure, which a {@link java.io.PrintWriter} hides. */
final class Output extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    Output() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns the message of a failure, such as a full disk. A reader that has ended, such as {@code head}, is none. */
    Optional<String> failure() {
        return Optional.ofNullable(failure)
                .map(Throwable::getMessage)
                .filter(message -> !message.equals("Broken pipe"));
    }
}
