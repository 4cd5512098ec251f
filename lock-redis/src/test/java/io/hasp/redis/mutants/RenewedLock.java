package io.hasp.redis.mutants;

import io.hasp.conformance.Hold;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * {@link TutorialLock} with what the better libraries add: a watchdog, and a deadline on the client's own clock, counted
 * from the request that was answered. It keeps the rules about both; a mutant does one of its verbs in another way.
 */
class RenewedLock extends TutorialLock {
    private static final String RENEW =
            "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('pexpire', KEYS[1], ARGV[2]) or 0";
    private static final long LEASE_MILLIS = Timings.lease().toMillis();

    private final ScheduledExecutorService watchdog = Executors.newScheduledThreadPool(4, task -> {
        Thread thread = new Thread(task, "tutorial-watchdog");
        thread.setDaemon(true);
        return thread;
    });

    RenewedLock(int port) {
        super(port);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.RENEWAL, Claimed.LOSS_DETECTION);
    }

    /** From when the lease counts that the server confirms now to a request sent at {@code sentAt}. */
    long confirmedFrom(long sentAt) {
        return sentAt;
    }

    void released(Future<?> renewal) {
        renewal.cancel(false);
    }

    @Override
    Hold hold(String key, String value, long sentAt, Hold release) {
        Renewed renewed = new Renewed(key, value, release, sentAt);
        renewed.start();
        return renewed;
    }

    private final class Renewed implements Hold {
        private final String key;
        private final String value;
        private final Hold release;
        private volatile long confirmed;
        private volatile boolean over;
        private volatile Future<?> renewal = CompletableFuture.completedFuture(null);

        Renewed(String key, String value, Hold release, long confirmed) {
            this.key = key;
            this.value = value;
            this.release = release;
            this.confirmed = confirmed;
        }

        void start() {
            long period = LEASE_MILLIS / 3;
            renewal = watchdog.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
        }

        private void renew() {
            long sentAt = System.nanoTime();
            try (RespConnection redis = connect()) {
                if (redis.integer("EVAL", RENEW, "1", key, value, Long.toString(LEASE_MILLIS)) == 1) {
                    confirmed = confirmedFrom(sentAt);
                }
            } catch (IOException e) {
                // Tried again at the next period; the deadline stays.
            }
        }

        @Override
        public boolean believesHeld() {
            return !over && System.nanoTime() - confirmed < TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS);
        }

        @Override
        public boolean release() throws Exception {
            over = true;
            released(renewal);
            return release.release();
        }
    }
}
