package io.hasp.conformance.processes;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.RecordedUser;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A client in this JVM whose link to the server a test can cut. To the server and to other clients, a stopped, a dead
 * and a disconnected client look the same. The further calls of a client that counts as dead are left out of its
 * history.
 */
public final class SilencedClient implements CrashableClient {
    private final String name;
    private final LocalClient client;
    private final LockUser user;
    private final HistoryLog log = HistoryLog.inMemory();
    private final Runnable cut;
    private final Runnable mend;
    private volatile boolean dead;

    private SilencedClient(String name, LockUser user, Runnable cut, Runnable mend) {
        this.name = name;
        this.client = LocalClient.over(name, user);
        this.user = new RecordedUser(user, log, name);
        this.cut = cut;
        this.mend = mend;
    }

    /**
     * Opens a client.
     *
     * @param name its name in the history, unlike any other's
     * @param subject opens it, on a link of its own
     * @param cut ends all traffic on this link
     * @param mend lets it flow again
     * @return an open client, closed by the caller
     * @throws Exception if the lock's server can't be reached
     */
    public static SilencedClient open(String name, LockSubject subject, Runnable cut, Runnable mend) throws Exception {
        return new SilencedClient(name, subject.open(), cut, mend);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
        return user.tryAcquire(lock, wait);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        return user.tryAcquire(lock, mode, wait);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
        return user.tryAcquire(lock, mode, wait, lease);
    }

    @Override
    public CompletableFuture<Outcome> looping(LockLoop loop) {
        return client.looping(loop);
    }

    @Override
    public void pause() {
        cut.run();
    }

    @Override
    public void resume() {
        mend.run();
    }

    @Override
    public synchronized void kill() {
        if (!dead) {
            dead = true;
            log.died(name, System.nanoTime());
            cut.run();
        }
    }

    @Override
    public History history() {
        History all = History.merge(List.of(client.history(), log.history()));
        long death = all.events().stream()
                .filter(event -> event.kind() == Event.Kind.DIED)
                .mapToLong(Event::at)
                .min()
                .orElse(Long.MAX_VALUE);
        return History.of(
                all.events().stream().filter(event -> event.at() <= death).toList());
    }

    @Override
    public void close() throws Exception {
        mend.run();
        client.close();
    }
}
