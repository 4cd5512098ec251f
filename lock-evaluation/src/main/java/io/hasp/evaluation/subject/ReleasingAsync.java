package io.hasp.evaluation.subject;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Hasp with asynchronous releases: the holder goes on at once ({@link Lease#releaseAsync}) and does not wait for the
 * server's reply.
 *
 * @param name how results call it
 * @param uri of the servers
 */
record ReleasingAsync(String name, String uri) implements LockSubject {

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FENCING_TOKEN, Claimed.LOSS_DETECTION, Claimed.RENEWAL, Claimed.FIFO);
    }

    @Override
    public LockUser open() {
        return new User(LockClient.connect(uri));
    }

    private record User(LockClient client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return client.lock(lock).tryAcquire(wait).map(Held::new);
        }

        @Override
        public void close() {
            client.closeNow();
        }
    }

    private record Held(Lease lease) implements Hold {

        @Override
        public OptionalLong token() {
            return OptionalLong.of(lease.fencingToken());
        }

        @Override
        public boolean believesHeld() {
            LeaseState state = lease.state();
            return state == LeaseState.HELD || state == LeaseState.SUSPECT;
        }

        /** Whether it was held before the release: the server's reply is not awaited. */
        @Override
        public boolean release() {
            boolean held = believesHeld();
            lease.releaseAsync();
            return held;
        }
    }
}
