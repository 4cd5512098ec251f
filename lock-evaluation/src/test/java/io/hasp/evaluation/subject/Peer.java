package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.evaluation.servers.Environment;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The libraries that people use today, set up as the comparison does it, but with the suite's short leases. */
enum Peer {
    RLOCK(
            PeerConformance.RLock.class,
            true,
            (port, lease) -> redisson(RedissonLock.Kind.RLOCK, port, lease),
            name -> "hasp:rlock:" + name),
    FENCEDLOCK(
            PeerConformance.FencedLock.class,
            true,
            (port, lease) -> redisson(RedissonLock.Kind.FENCEDLOCK, port, lease),
            name -> "hasp:fencedlock:" + name),
    FAIRLOCK(
            PeerConformance.FairLock.class,
            true,
            (port, lease) -> redisson(RedissonLock.Kind.FAIRLOCK, port, lease),
            name -> "hasp:fairlock:" + name),
    SPRING_REDIS(
            PeerConformance.SpringOnRedis.class,
            true,
            (port, lease) -> new SpringRedis(redis(port), lease),
            name -> "hasp:spring:" + name),
    CURATOR(
            PeerConformance.Mutex.class,
            false,
            (port, session) -> new CuratorMutex(zookeeper(port), true, session),
            name -> "/hasp-compare/curator/" + name),
    SPRING_ZOOKEEPER(
            PeerConformance.SpringOnZooKeeper.class,
            false,
            (port, session) -> new SpringZooKeeper(zookeeper(port), session),
            name -> "/hasp-compare/spring/" + name),
    REDISSON_READ_WRITE(
            PeerConformance.RedissonReadWrite.class,
            true,
            (port, lease) -> new Claiming(
                    "redisson-rreadwritelock",
                    redisson(RedissonLock.Kind.RLOCK, port, lease),
                    Claimed.READ_WRITE,
                    Claimed.DOWNGRADE,
                    Claimed.RENEWAL),
            name -> "hasp:rwlock:" + name),
    REDISSON_SEMAPHORE(
            PeerConformance.RedissonPermits.class,
            true,
            (port, lease) -> new Claiming(
                    "redisson-semaphore",
                    redisson(RedissonLock.Kind.RLOCK, port, lease),
                    Claimed.SEMAPHORE,
                    Claimed.RENEWAL),
            name -> "hasp:permits:" + name),
    REDISSON_SEMAPHORE_LEASED(
            PeerConformance.RedissonLeasedPermits.class,
            true,
            (port, lease) -> new RedissonLeasedSemaphore(redis(port), lease),
            name -> "hasp:permits:" + name),
    CURATOR_READ_WRITE(
            PeerConformance.CuratorReadWrite.class,
            false,
            (port, session) -> new Claiming(
                    "curator-readwritelock",
                    new CuratorMutex(zookeeper(port), false, session),
                    Claimed.READ_WRITE,
                    Claimed.DOWNGRADE,
                    Claimed.RENEWAL,
                    Claimed.FIFO),
            name -> "/hasp-compare/curator-rw/" + name),
    CURATOR_SEMAPHORE(
            PeerConformance.CuratorPermits.class,
            false,
            (port, session) -> new Claiming(
                    "curator-semaphore",
                    new CuratorMutex(zookeeper(port), false, session),
                    Claimed.SEMAPHORE,
                    Claimed.RENEWAL),
            name -> "/hasp-compare/curator-permits/" + name);

    /** Longer than a lease: a busy disk keeps a ZooKeeper server silent for seconds. */
    private static final Duration SESSION = Timings.lease().multipliedBy(4);

    /** Four times the three seconds that Redisson waits for an answer before it asks again. */
    private static final Duration LEASE_ON_THE_WIRE = Timings.lease().multipliedBy(8);

    private final Class<? extends PeerConformance> adopter;
    private final boolean onRedis;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final BiFunction<Integer, Duration, LockSubject> subject;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<String, String> endpoint;

    Peer(
            Class<? extends PeerConformance> adopter,
            boolean onRedis,
            BiFunction<Integer, Duration, LockSubject> subject,
            Function<String, String> endpoint) {
        this.adopter = adopter;
        this.onRedis = onRedis;
        this.subject = subject;
        this.endpoint = endpoint;
    }

    private static LockSubject redisson(RedissonLock.Kind kind, int port, Duration lease) {
        return new RedissonLock(kind, redis(port), lease, false);
    }

    private static String redis(int port) {
        return "redis://127.0.0.1:" + port;
    }

    private static String zookeeper(int port) {
        return "zookeeper://127.0.0.1:" + port + "/" + Environment.SCOPE;
    }

    /** How the table calls it. */
    String label() {
        return at(1).name();
    }

    /** The test class that JUnit runs. */
    Class<? extends PeerConformance> adopter() {
        return adopter;
    }

    boolean onRedis() {
        return onRedis;
    }

    LockSubject at(int port) {
        return subject.apply(port, onRedis ? Timings.lease() : SESSION);
    }

    /** Through a wire that loses something: with {@link #leaseOnTheWire()}. */
    LockSubject onTheWire(int port) {
        return subject.apply(port, leaseOnTheWire());
    }

    Duration leaseOnTheWire() {
        return onRedis ? LEASE_ON_THE_WIRE : SESSION;
    }

    /** The key or the folder of nodes of a lock. */
    String placeOf(String name) {
        return endpoint.apply(name);
    }
}
