package io.hasp.conformance;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.ReleaseResult;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Hasp as a lock under test: one {@link LockClient} per simulated process, engine and backend together. Immutable. */
public final class HaspSubject implements LockSubject {
    /** The beginning of the names of elections: a user of such a name holds the lock as the leader of an election. */
    public static final String ELECTION = "election-";

    private final String name;
    private final Function<ClientOptions, LockClient> connect;
    private final Set<Claimed> claims;
    private final Duration silence;
    private final Duration lease;
    private final UnaryOperator<ClientOptions> options;
    private final boolean elects;

    /**
     * Creates a subject over any backend.
     *
     * @param name its name in reports
     * @param connect opens a client with the given options
     * @param more claims of the backend beyond fencing token, loss detection, fixed leases, renewal, several locks at
     *     once and elections, which every backend has
     */
    public HaspSubject(String name, Function<ClientOptions, LockClient> connect, Claimed... more) {
        this.name = name;
        this.connect = connect;
        EnumSet<Claimed> all = EnumSet.of(
                Claimed.FENCING_TOKEN,
                Claimed.LOSS_DETECTION,
                Claimed.FIXED_LEASE,
                Claimed.RENEWAL,
                Claimed.SEVERAL,
                Claimed.ELECTION);
        all.addAll(Set.of(more));
        this.claims = Set.copyOf(all);
        this.silence = Timings.lease();
        this.lease = Timings.lease();
        this.options = UnaryOperator.identity();
        this.elects = false;
    }

    private HaspSubject(
            HaspSubject like,
            Set<Claimed> claims,
            Duration silence,
            Duration lease,
            UnaryOperator<ClientOptions> options,
            boolean elects) {
        this.name = like.name;
        this.connect = like.connect;
        this.claims = Set.copyOf(claims);
        this.silence = silence;
        this.lease = lease;
        this.options = options;
        this.elects = elects;
    }

    /**
     * Creates a subject over the backend that a URI names.
     *
     * @param name its name in reports
     * @param uri as in {@link LockClient#connect(String)}
     * @param more claims of the backend, as in the constructor
     * @return a new subject
     */
    public static HaspSubject at(String name, String uri, Claimed... more) {
        return new HaspSubject(name, options -> LockClient.connect(URI.create(uri), options), more);
    }

    /**
     * Returns this subject for a backend that keeps the locks of a silent client for a time other than the lease.
     *
     * @param time the longest such time
     * @return a new subject
     */
    public HaspSubject silentFor(Duration time) {
        return new HaspSubject(this, claims, time, lease, options, elects);
    }

    /**
     * Returns this subject with another lease, for clients whose network is disturbed. The events of one lease must fit
     * into it.
     *
     * @param lease the lease that all its clients request
     * @return a new subject
     */
    public HaspSubject leasing(Duration lease) {
        return new HaspSubject(this, claims, silence.compareTo(lease) < 0 ? lease : silence, lease, options, elects);
    }

    /**
     * Returns this subject for a backend with the capability {@link io.hasp.LockCapabilities#sharedLocks}.
     *
     * @return a new subject that claims read-write locks and semaphores
     */
    public HaspSubject sharing() {
        EnumSet<Claimed> all =
                EnumSet.of(Claimed.READ_WRITE, Claimed.SEMAPHORE, Claimed.DOWNGRADE, Claimed.PARTIAL_GIVE_BACK);
        all.addAll(claims);
        return new HaspSubject(this, all, silence, lease, options, elects);
    }

    /**
     * Returns this subject with clients that keep a lock after its release until another client requests it; see
     * {@link ClientOptions#keep}. Such clients need a backend with the capability
     * {@link io.hasp.LockCapabilities#keptLocks}.
     *
     * @param keep how long an unused lock is kept; at most a third of the lease
     * @return a new subject
     */
    public HaspSubject keeping(Duration keep) {
        return adapted(options -> options.keep(keep));
    }

    /**
     * Returns this subject with clients that hold each lock as the leader of an election.
     *
     * @return a new subject
     */
    public HaspSubject electing() {
        return new HaspSubject(this, claims, silence, lease, options, true);
    }

    /**
     * Returns this subject with clients that notify a listener of the events of their locks.
     *
     * @param listener notified by all clients
     * @return a new subject
     */
    public HaspSubject notifying(LockListener listener) {
        return adapted(options -> options.addListener(listener));
    }

    private HaspSubject adapted(UnaryOperator<ClientOptions> how) {
        return new HaspSubject(this, claims, silence, lease, usual -> how.apply(options.apply(usual)), elects);
    }

    /**
     * Opens a client as {@link #open} does, for rules about Hasp's own API.
     *
     * @return a new client; the caller closes it
     */
    public LockClient connect() {
        return connect(options -> options);
    }

    /**
     * Opens a client with other options.
     *
     * @param adapted changes the options that {@link #open} uses
     * @return a new client; the caller closes it
     */
    public LockClient connect(UnaryOperator<ClientOptions> adapted) {
        return connect.apply(
                adapted.apply(options.apply(ClientOptions.defaults().renewedLease(lease))));
    }

    /**
     * Returns the lock object for a mode. Sends no request.
     *
     * @param client the client that will request the lock
     * @param name the lock's name
     * @param mode the mode of the hold
     * @param options renewal and lease of the hold
     * @return the lock
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
        return new User(connect(), elects);
    }

    private record User(LockClient client, boolean elects) implements LockUser {

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
            if (elects || lock.startsWith(ELECTION)) {
                return Candidacy.elected(client, lock, wait);
            }
            return lock(client, lock, mode, options).tryAcquire(wait).map(lease -> new Held(client, mode, lease));
        }

        @Override
        public Optional<Hold> tryAcquireAll(List<String> locks, Duration wait) throws InterruptedException {
            return client.allOf(locks.stream().map(client::lock).toList())
                    .tryAcquire(wait)
                    .map(HeldTogether::of);
        }

        @Override
        public void close() {
            client.closeNow();
        }
    }

    /**
     * A hold on several locks, or on one of them.
     *
     * @param names of those that it reports on
     * @param released the answers to the release, after the first call
     */
    private record HeldTogether(
            MultiLease lease, List<String> names, AtomicReference<Map<String, ReleaseResult>> released)
            implements Hold {

        static HeldTogether of(MultiLease lease) {
            return new HeldTogether(lease, lease.names(), new AtomicReference<>());
        }

        @Override
        public HeldTogether part(String lock) {
            return new HeldTogether(lease, List.of(lock), released);
        }

        @Override
        public OptionalLong token() {
            return names.size() == 1 ? OptionalLong.of(lease.fencingToken(names.get(0))) : OptionalLong.empty();
        }

        @Override
        public boolean release() {
            Map<String, ReleaseResult> results = released.get();
            if (results == null) {
                released.compareAndSet(null, lease.release());
                results = Objects.requireNonNull(released.get());
            }
            Map<String, ReleaseResult> first = results;
            return names.stream().allMatch(name -> first.get(name) == ReleaseResult.RELEASED);
        }

        @Override
        public boolean believesHeld() {
            LeaseState state = lease.state();
            return state == LeaseState.HELD || state == LeaseState.SUSPECT;
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
