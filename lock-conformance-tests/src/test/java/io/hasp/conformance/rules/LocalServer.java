package io.hasp.conformance.rules;

import io.hasp.conformance.servers.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A correct lock service inside this JVM, which can be paused and killed like a real one. */
final class LocalServer implements Server {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);

    record Granted(String holder, long token, long expiresAt) {}

    private final Map<String, Granted> locks = new HashMap<>();
    private long lastToken;
    private long releases;
    private boolean paused;
    private boolean dead;
    private boolean mute;

    /** The fencing token, or zero if another has the lock. */
    synchronized long acquire(String lock, String holder, Duration lease) throws IOException {
        serve();
        Granted held = live(lock);
        if (held != null) {
            return 0;
        }
        locks.put(lock, new Granted(holder, ++lastToken, System.nanoTime() + lease.toNanos()));
        return lastToken;
    }

    synchronized boolean renew(String lock, String holder, Duration lease) throws IOException {
        serve();
        Granted held = live(lock);
        if (held == null || !held.holder().equals(holder)) {
            return false;
        }
        locks.put(lock, new Granted(holder, held.token(), System.nanoTime() + lease.toNanos()));
        return true;
    }

    synchronized boolean release(String lock, String holder) throws IOException {
        serve();
        Granted held = live(lock);
        if (held == null || !held.holder().equals(holder)) {
            return false;
        }
        locks.remove(lock);
        if (!mute) {
            releases++;
            notifyAll();
        }
        mute = false;
        return true;
    }

    synchronized void awaitNews(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        long seen = releases;
        while (seen == releases && System.nanoTime() - end < 0) {
            wait(1 + (end - System.nanoTime()) / 1_000_000);
        }
    }

    synchronized int size() {
        return locks.size();
    }

    synchronized void delete(String lock) {
        locks.remove(lock);
    }

    synchronized void loseNextNotification() {
        mute = true;
    }

    private @Nullable Granted live(String lock) {
        Granted held = locks.get(lock);
        return held != null && System.nanoTime() - held.expiresAt() < 0 ? held : null;
    }

    private void serve() throws IOException {
        long end = System.nanoTime() + COMMAND_TIMEOUT.toNanos();
        while (paused && System.nanoTime() - end < 0) {
            try {
                wait(1 + (end - System.nanoTime()) / 1_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        if (paused || dead) {
            throw new IOException("the server does not answer");
        }
    }

    @Override
    public synchronized void pause() {
        paused = true;
    }

    @Override
    public synchronized void resume() {
        paused = false;
        notifyAll();
    }

    @Override
    public synchronized void kill() {
        dead = true;
    }

    @Override
    public void stop() {
        kill();
    }

    @Override
    public synchronized void restart() {
        dead = false;
    }

    @Override
    public synchronized void restartWithoutData() {
        locks.clear();
        dead = false;
    }

    @Override
    public synchronized boolean running() {
        return !dead;
    }

    @Override
    public void close() {
        kill();
    }
}
