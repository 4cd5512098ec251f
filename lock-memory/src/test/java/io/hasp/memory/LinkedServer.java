package io.hasp.memory;

import io.hasp.conformance.servers.Server;
import org.opentest4j.TestAbortedException;

/** A server in this JVM, broken through its links: while it is down or stopped, it gives no answer. Not thread-safe. */
final class LinkedServer implements Server {
    private final Runnable cut;
    private final Runnable mend;
    private boolean running = true;

    LinkedServer(Runnable cut, Runnable mend) {
        this.cut = cut;
        this.mend = mend;
    }

    @Override
    public void pause() {
        cut.run();
        running = false;
    }

    @Override
    public void resume() {
        mend.run();
        running = true;
    }

    @Override
    public void kill() {
        pause();
    }

    @Override
    public void stop() {
        pause();
    }

    @Override
    public void restart() {
        resume();
    }

    @Override
    public void restartWithoutData() {
        throw new TestAbortedException("its data is the server itself");
    }

    @Override
    public boolean running() {
        return running;
    }

    @Override
    public void close() {
        resume();
    }
}
