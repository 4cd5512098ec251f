package io.hasp.conformance.history;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client that records its own history, around a client of {@code LockSubject.open()}. Every failure counts as an
 * unknown outcome. Each thread is a separate client named {@code process/thread id}. As thread-safe as the wrapped
 * client.
 */
public final class RecordedUser implements LockUser {
    private final LockUser user;
    private final HistoryLog log;
    private final String process;

    /**
     * Wraps a client.
     *
     * @param user the client; closed with this one
     * @param log receives the events; stays open
     * @param process a name that no other process of the merged history has
     */
    public RecordedUser(LockUser user, HistoryLog log, String process) {
        this.user = user;
        this.log = log;
        this.process = process;
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
        return tryAcquire(lock, LockMode.EXCLUSIVE, wait);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
        return tryAcquire(lock, LockMode.EXCLUSIVE, wait, lease);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        return recorded(lock, mode, wait, null).map(hold -> hold);
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
        return recorded(lock, mode, wait, lease).map(hold -> hold);
    }

    /**
     * Acquires as {@link #tryAcquire} does, and returns the hold with its log.
     *
     * @param lock the lock's name
     * @param wait the longest time in the queue
     * @param lease the fixed lease; null for a renewed hold
     * @return the hold, empty if refused
     * @throws Exception as the wrapped client
     */
    public Optional<RecordedHold> recorded(String lock, Duration wait, @Nullable Duration lease) throws Exception {
        return recorded(lock, LockMode.EXCLUSIVE, wait, lease);
    }

    /**
     * Acquires a shared lock, and returns the hold with its log.
     *
     * @param lock the lock's name
     * @param mode the mode of the hold
     * @param wait the longest time in the queue
     * @param lease the fixed lease; null for a renewed hold
     * @return the hold, empty if refused
     * @throws Exception as the wrapped client
     */
    public Optional<RecordedHold> recorded(String lock, LockMode mode, Duration wait, @Nullable Duration lease)
            throws Exception {
        long start = System.nanoTime();
        AttemptLog attempt =
                log.acquiring(process + "/" + Thread.currentThread().getId(), lock, mode);
        Optional<Hold> hold;
        try {
            hold = lease == null ? user.tryAcquire(lock, mode, wait) : user.tryAcquire(lock, mode, wait, lease);
        } catch (Exception | Error e) {
            attempt.unknown(e);
            throw e;
        }
        if (hold.isEmpty()) {
            attempt.refused();
            return Optional.empty();
        }
        attempt.granted(hold.get().token().orElse(0));
        RecordedHold recorded = new RecordedHold(hold.get(), attempt);
        recorded.believesHeld();
        if (lease != null) {
            // Of a grant that came after waiting only the answer is known; of an immediate one, the request.
            attempt.deadline((wait.isZero() ? start : System.nanoTime()) + lease.toNanos());
        }
        return Optional.of(recorded);
    }

    /**
     * Acquires several locks together, and returns a hold with its log for each of them.
     *
     * @param locks their names
     * @param wait the longest wait for all of them
     * @return the holds in the order of the names; empty if refused
     * @throws Exception as the wrapped client
     */
    public List<RecordedHold> recordedAll(List<String> locks, Duration wait) throws Exception {
        String client = process + "/" + Thread.currentThread().getId();
        List<AttemptLog> attempts = locks.stream()
                .map(lock -> log.acquiring(client, lock, LockMode.EXCLUSIVE))
                .toList();
        Optional<Hold> hold;
        try {
            hold = user.tryAcquireAll(locks, wait);
        } catch (Exception | Error e) {
            attempts.forEach(attempt -> attempt.unknown(e));
            throw e;
        }
        if (hold.isEmpty()) {
            attempts.forEach(AttemptLog::refused);
            return List.of();
        }
        List<RecordedHold> recorded = new ArrayList<>();
        for (int i = 0; i < locks.size(); i++) {
            Hold part = hold.get().part(locks.get(i));
            attempts.get(i).granted(part.token().orElse(0));
            recorded.add(new RecordedHold(part, attempts.get(i)));
        }
        recorded.forEach(RecordedHold::believesHeld);
        return recorded;
    }

    @Override
    public void close() throws Exception {
        user.close();
    }
}
