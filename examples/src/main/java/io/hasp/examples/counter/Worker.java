package io.hasp.examples.counter;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One process of the example. Two workers read the number in a file, add one, and write the sum, each time under the
 * lock. The process prints {@code ready}, begins on command, and prints {@code counted} for each number that it wrote.
 */
final class Worker {
    static final String READY = "ready";
    static final String COUNTED = "counted";
    static final String HOLDING = "holding";
    static final int INCREMENTS = 10;
    static final int THREADS = 2;

    private final DistributedLock lock;
    private final Path file;

    private Worker(DistributedLock lock, Path file) {
        this.lock = lock;
        this.file = file;
    }

    /** Arguments: the URI of the lock service, the file, and whether this process is the one to be killed. */
    public static void main(String[] args) throws Exception {
        boolean victim = Boolean.parseBoolean(args[2]);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (LockClient locks = LockClient.connect(args[0])) {
            Worker worker = new Worker(locks.lock("counter"), Path.of(args[1]));
            say(READY);
            awaitLine();
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                boolean standsStill = victim && i == 0;
                work.add(() -> worker.count(standsStill));
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One worker. In the middle, one that is to be killed stands still between its read and its write. */
    private Void count(boolean standsStill) throws IOException, InterruptedException {
        for (int i = 0; i < INCREMENTS; i++) {
            boolean now = standsStill && i == INCREMENTS / 2;
            lock.call(lease -> {
                long number = read();
                if (now) {
                    say(HOLDING);
                    awaitLine();
                }
                write(number + 1);
                say(COUNTED);
                return number;
            });
        }
        return null;
    }

    private long read() throws IOException {
        return Long.parseLong(Files.readString(file));
    }

    /** Writes in place, so a reader without the lock sees the old or the new number. */
    private void write(long number) throws IOException {
        Files.writeString(file, String.format(Locale.ROOT, "%08d", number), StandardOpenOption.WRITE);
    }

    private static void say(String word) {
        System.out.println(word);
        System.out.flush();
    }

    /** Returns, too, when the process that started this one is gone. */
    private static void awaitLine() throws IOException {
        int read = System.in.read();
        while (read != '\n' && read >= 0) {
            read = System.in.read();
        }
    }
}
