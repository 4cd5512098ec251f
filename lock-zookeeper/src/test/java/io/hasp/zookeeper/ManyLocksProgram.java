package io.hasp.zookeeper;

import io.hasp.LockClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** A client process that acquires many locks, then makes a file, and waits for its end. */
final class ManyLocksProgram {
    private static final int AT_ONCE = 200;

    private ManyLocksProgram() {}

    /** Arguments: the URI, the number of locks, the length of a name, the file. */
    public static void main(String[] arguments) throws Exception {
        int locks = Integer.parseInt(arguments[1]);
        LockClient client = LockClient.connect(arguments[0]);
        ArrayDeque<CompletableFuture<?>> pending = new ArrayDeque<>();
        for (int i = 0; i < locks; i++) {
            pending.add(client.lock(name(i, Integer.parseInt(arguments[2]))).acquireAsync());
            if (pending.size() >= AT_ONCE) {
                pending.remove().get();
            }
        }
        for (CompletableFuture<?> each : pending) {
            each.get();
        }
        Files.createFile(Path.of(arguments[3]));
        Thread.sleep(Long.MAX_VALUE);
    }

    /** The name of a lock: its number, filled up with a character that a path spells with three. */
    static String name(int number, int length) {
        String digits = Integer.toString(number);
        return digits + "/".repeat(Math.max(0, length - digits.length()));
    }
}
