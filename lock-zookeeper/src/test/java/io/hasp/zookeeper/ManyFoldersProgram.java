package io.hasp.zookeeper;

import io.hasp.LockClient;
import io.hasp.LockView;
import java.util.stream.Stream;

/** Lists all locks, and prints how many there are, and in how many milliseconds. */
final class ManyFoldersProgram {
    private ManyFoldersProgram() {}

    /** Arguments: the URI, the prefix. */
    public static void main(String[] arguments) {
        try (LockClient client = LockClient.connect(arguments[0])) {
            long begun = System.nanoTime();
            long count;
            try (Stream<LockView> locks = client.inspector().locks(arguments.length > 1 ? arguments[1] : "")) {
                count = locks.filter(lock -> lock.holders().size() == 1).count();
            }
            System.out.println(count + " " + (System.nanoTime() - begun) / 1_000_000);
        }
    }
}
