package io.hasp.memory;

import io.hasp.LockClient;

/** A program that ends inside of its work, and closes its client as it ends. */
final class ExitInsideOfWork {
    private ExitInsideOfWork() {}

    @SuppressWarnings("SystemExitOutsideMain") // It is the work's.
    public static void main(String[] args) throws InterruptedException {
        LockClient client = LockClient.connect("memory://exit");
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        client.lock("a").run(lease -> System.exit(7));
    }
}
