package io.hasp.conformance.processes;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A real lock between processes of one machine: file locks of the system, in a folder; the file holds the last token. */
public final class FileLocks implements SubjectFactory {

    @Override
    public LockSubject subject(String folder) {
        return new LockSubject() {
            @Override
            public String name() {
                return "file-locks";
            }

            @Override
            public Set<Claimed> claims() {
                return Set.of(Claimed.FENCING_TOKEN, Claimed.RENEWAL);
            }

            @Override
            public LockUser open() {
                System.out.println("a library that prints");
                return new User(Path.of(folder));
            }
        };
    }

    private static final class User implements LockUser {
        private final Path folder;
        /** Never closed before the end: closing any channel of a file frees all its locks. */
        private final Map<String, FileChannel> channels = new ConcurrentHashMap<>();

        User(Path folder) {
            this.folder = folder;
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws IOException {
            if (lock.isEmpty()) {
                throw new IllegalArgumentException("a lock needs a name");
            }
            FileChannel channel = channels.computeIfAbsent(lock, this::open);
            long end = System.nanoTime() + wait.toNanos();
            do {
                try {
                    FileLock taken = channel.tryLock();
                    if (taken != null) {
                        return Optional.of(new Taken(taken, nextToken(channel)));
                    }
                } catch (OverlappingFileLockException e) {
                    assert e != null : "another thread of this process has it";
                }
                LockSupport.parkNanos(500_000);
            } while (System.nanoTime() - end < 0);
            return Optional.empty();
        }

        private FileChannel open(String lock) {
            try {
                return FileChannel.open(
                        folder.resolve(lock + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        private static long nextToken(FileChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
            channel.read(bytes, 0);
            long token = bytes.getLong(0) + 1;
            channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, token), 0);
            return token;
        }

        @Override
        public void close() throws IOException {
            for (FileChannel channel : channels.values()) {
                channel.close();
            }
        }
    }

    private record Taken(FileLock lock, long number) implements Hold {
        @Override
        public boolean release() throws IOException {
            boolean held = lock.isValid();
            lock.release();
            return held;
        }

        @Override
        public OptionalLong token() {
            return OptionalLong.of(number);
        }

        @Override
        public boolean believesHeld() {
            return lock.isValid();
        }
    }
}
