package io.hasp.conformance.rules;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A small correct lock on a {@link LocalServer}: the rules have to hold for it. */
record LocalLock(LocalServer server) implements LockSubject {
    private static final Duration POLL = Duration.ofMillis(50);

    @Override
    public String name() {
        return "local";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FENCING_TOKEN, Claimed.LOSS_DETECTION, Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        return new User(server, Executors.newSingleThreadScheduledExecutor());
    }

    private record User(LocalServer server, ScheduledExecutorService watchdog) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            Optional<Held> held = attempt(lock, wait, Timings.lease());
            held.ifPresent(hold -> {
                long period = Timings.lease().toMillis() / 3;
                watchdog.scheduleAtFixedRate(hold::renew, period, period, TimeUnit.MILLISECONDS);
            });
            return held.map(hold -> hold);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
            return attempt(lock, wait, lease).map(hold -> hold);
        }

        private Optional<Held> attempt(String lock, Duration wait, Duration lease) throws Exception {
            String holder = UUID.randomUUID().toString();
            long end = System.nanoTime() + wait.toNanos();
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long token = server.acquire(lock, holder, lease);
                if (token > 0) {
                    return Optional.of(new Held(server, lock, holder, token, new AtomicBoolean(true)));
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                server.awaitNews(Duration.ofNanos(Math.min(left, POLL.toNanos())));
            }
        }

        @Override
        public void close() {
            watchdog.shutdownNow();
        }
    }

    private record Held(LocalServer server, String lock, String holder, long number, AtomicBoolean held)
            implements Hold {

        /** Its exception ends the watchdog of a lock that was given back or lost. */
        void renew() {
            try {
                if (held.get() && !server.renew(lock, holder, Timings.lease())) {
                    held.set(false);
                }
            } catch (IOException e) {
                held.set(false);
            }
            if (!held.get()) {
                throw new CancellationException("no longer held");
            }
        }

        @Override
        public boolean release() throws IOException {
            held.set(false);
            return server.release(lock, holder);
        }

        @Override
        public OptionalLong token() {
            return OptionalLong.of(number);
        }

        @Override
        public boolean believesHeld() {
            return held.get();
        }
    }
}
