package io.hasp.evaluation;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns a shutdown (Ctrl-C, SIGTERM) into an interrupt of the working thread, and delays the exit until that thread has
 * cleaned up. So clients and servers are stopped in one way only.
 */
final class CtrlC implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 15;

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "ctrl-c");

    static CtrlC interruptsThisThread() {
        CtrlC ctrlC = new CtrlC();
        Runtime.getRuntime().addShutdownHook(ctrlC.hook);
        return ctrlC;
    }

    /** In a terminal Ctrl-C also ends the servers at once: what the clients then log is noise. */
    private void stop() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, java.nio.charset.StandardCharsets.UTF_8));
        worker.interrupt();
        try {
            boolean ignored = cleanedUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        cleanedUp.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook runs already.
        }
    }
}
