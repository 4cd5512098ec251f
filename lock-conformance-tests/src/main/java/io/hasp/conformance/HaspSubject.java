package io.hasp.conformance;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Hasp itself under the rules: one {@link LockClient} for each simulated process, engine and backend together. */
public final class HaspSubject implements LockSubject {
    private final String name;
    private final Function<ClientOptions, LockClient> connect;
    private final Set<Claimed> claims;
    private final Duration silence;
    private final Duration lease;
    private final UnaryOperator<ClientOptions> options;

    /**
     * Hasp over any backend.
     *
     * @param name how reports call it
     * @param connect makes a client with the given options
     * @param more what the backend claims beyond token, loss detection, fixed leases and renewal, which all have
     */
    public HaspSubject(String name, Function<ClientOptions, LockClient> connect, Claimed... more) {
        this.name = name;
        this.connect = connect;
        EnumSet<Claimed> all =
                EnumSet.of(Claimed.FENCING_TOKEN, Claimed.LOSS_DETECTION, Claimed.FIXED_LEASE, Claimed.RENEWAL);
        all.addAll(Set.of(more));
        this.claims = Set.copyOf(all);
        this.silence = Timings.lease();
        this.lease = Timings.lease();
        this.options = UnaryOperator.identity();
    }

    private HaspSubject(
            HaspSubject like,
            Set<Claimed> claims,
            Duration silence,
            Duration lease,
            UnaryOperator<ClientOptions> options) {
        this.name = like.name;
        this.connect = like.connect;
        this.claims = Set.copyOf(claims);
        this.silence = silence;
        this.lease = lease;
        this.options = options;
    }

    /**
     * Hasp over the backend that a URI names.
     *
     * @param name how reports call it
     * @param uri as in {@link LockClient#connect(String)}
     * @param more as above
     * @return a new subject
     */
    public static HaspSubject at(String name, String uri, Claimed... more) {
        return new HaspSubject(name, options -> LockClient.connect(URI.create(uri), options), more);
    }

    /**
     * The same over a backend that keeps a silent client's locks for another time than the lease.
     *
     * @param time how long at most
     * @return a new subject
     */
    public HaspSubject silentFor(Duration time) {
        return new HaspSubject(this, claims, time, lease, options);
    }

    /**
     * The same with another lease, for clients whose network is disturbed: what happens within a lease has to fit into it.
     *
     * @param lease asked for by all its clients
     * @return a new subject
     */
    public HaspSubject leasing(Duration lease) {
        return new HaspSubject(this, claims, silence.compareTo(lease) < 0 ? lease : silence, lease, options);
    }

    /**
     * The same over a backend whose capabilities say {@link io.hasp.LockCapabilities#sharedLocks}.
     *
     * @return a new subject that claims read-write locks and semaphores
     */
    public HaspSubject sharing() {
        EnumSet<Claimed> all =
                EnumSet.of(Claimed.READ_WRITE, Claimed.SEMAPHORE, Claimed.DOWNGRADE, Claimed.PARTIAL_GIVE_BACK);
        all.addAll(claims);
        return new HaspSubject(this, all, silence, lease, options);
    }

    /**
     * The same with clients that keep a lock after its release until another one wants it, as {@link ClientOptions#keep} says. They
     * can be opened over a backend whose capabilities say {@link io.hasp.LockCapabilities#keptLocks}.
     *
     * @param keep for how long without a use; at most a third of the lease
     * @return a new subject
     */
    public HaspSubject keeping(Duration keep) {
        return adapted(options -> options.keep(keep));
    }

    /**
     * The same with clients that tell somebody what happens to their locks.
     *
     * @param listener told by all of them
     * @return a new subject
     */
    public HaspSubject telling(LockListener listener) {
        return adapted(options -> options.addListener(listener));
    }

    private HaspSubject adapted(UnaryOperator<ClientOptions> how) {
        return new HaspSubject(this, claims, silence, lease, usual -> how.apply(options.apply(usual)));
    }

    /**
     * A client as {@link #open} uses it, for rules about Hasp's own API.
     *
     * @return a new client, closed by the caller
     */
    public LockClient connect() {
        return connect(options -> options);
    }

    /**
     * The same with other options.
     *
     * @param adapted changes those that {@link #open} uses
     * @return a new client, closed by the caller
     */
    public LockClient connect(UnaryOperator<ClientOptions> adapted) {
        return connect.apply(
                adapted.apply(options.apply(ClientOptions.defaults().renewedLease(lease))));
    }

    /**
     * The lock that a mode asks for.
     *
     * @param client asks
     * @param name the lock's name
     * @param mode how to hold it
     * @param options how its lease is kept
     * @return the lock; nothing is sent
     */
    public static DistributedLock lock(LockClient client, String name, LockMode mode, LockOptions options) {
        if (mode.equals(LockMode.EXCLUSIVE)) {
            return client.lock(name, options);
        }
        if (mode.equals(LockMode.READ)) {
            return client.readWriteLock(name, options).read();
        }
        if (mode.equals(LockMode.WRITE)) {
            return client.readWriteLock(name, options).write();
        }
        return client.semaphore(name, mode.capacity(), options).permits(mode.weight());
    }

    @Override
    public Duration silence() {
        return silence;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Claimed> claims() {
        return claims;
    }

    @Override
    public LockUser open() {
        return new User(connect());
    }

    private record User(LockClient client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return tryAcquire(lock, LockMode.EXCLUSIVE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws InterruptedException {
            return tryAcquire(lock, LockMode.EXCLUSIVE, wait, lease);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws InterruptedException {
            return tryAcquire(lock, mode, wait, LockOptions.defaults());
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease)
                throws InterruptedException {
            return tryAcquire(lock, mode, wait, LockOptions.defaults().fixedLease(lease));
        }

        private Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, LockOptions options)
                throws InterruptedException {
            return lock(client, lock, mode, options).tryAcquire(wait).map(lease -> new Held(client, mode, lease));
        }

        @Override
        public void close() {
            client.closeNow();
        }
    }

    private record Held(LockClient client, LockMode mode, Lease lease) implements Hold {

        @Override
        public boolean release() {
            return lease.release() == ReleaseResult.RELEASED;
        }

        @Override
        public OptionalLong token() {
            return OptionalLong.of(lease.fencingToken());
        }

        @Override
        public boolean believesHeld() {
            LeaseState state = lease.state();
            return state == LeaseState.HELD || state == LeaseState.SUSPECT;
        }

        @Override
        public Hold downgrade() {
            return new Held(
                    client, LockMode.READ, client.readWriteLock(lease.name()).downgrade(lease));
        }

        @Override
        public Hold giveBack(int count) {
            LockMode left = LockMode.permits(mode.weight() - count, mode.capacity());
            return new Held(
                    client,
                    left,
                    client.semaphore(lease.name(), mode.capacity()).giveBack(lease, count));
        }
    }
}
