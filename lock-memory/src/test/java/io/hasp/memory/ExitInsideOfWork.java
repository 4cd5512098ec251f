package io.hasp.memory;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import java.net.URI;
import java.time.Duration;

/** A program that ends inside of its work, and closes its client as it ends. */
final class ExitInsideOfWork {
    static final Duration CLOSE_WITHIN = Duration.ofMinutes(10);

    private ExitInsideOfWork() {}

    @SuppressWarnings("SystemExitOutsideMain") // It is the work's.
    public static void main(String[] args) throws InterruptedException {
        LockClient client = LockClient.connect(
                URI.create("memory://exit"), ClientOptions.defaults().closeWithin(CLOSE_WITHIN));
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        client.lock("a").run(lease -> System.exit(7));
    }
}
