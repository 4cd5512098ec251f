package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The libraries that people use today, set up as the comparison does it, but with the suite's short leases. */
enum Peer {
    RLOCK(
            PeerConformance.RLock.class,
            On.REDIS,
            (address, lease) -> redisson(RedissonLock.Kind.RLOCK, address, lease),
            name -> "hasp:rlock:" + name),
    FENCEDLOCK(
            PeerConformance.FencedLock.class,
            On.REDIS,
            (address, lease) -> redisson(RedissonLock.Kind.FENCEDLOCK, address, lease),
            name -> "hasp:fencedlock:" + name),
    FAIRLOCK(
            PeerConformance.FairLock.class,
            On.REDIS,
            (address, lease) -> redisson(RedissonLock.Kind.FAIRLOCK, address, lease),
            name -> "hasp:fairlock:" + name),
    SPRING_REDIS(
            PeerConformance.SpringOnRedis.class,
            On.REDIS,
            (address, lease) -> spring(RedisLockType.PUB_SUB_LOCK, address, lease),
            name -> "hasp:spring:" + name),
    SPRING_REDIS_TIMEOUT(
            PeerConformance.SpringOnRedisWithTimeout.class,
            On.REDIS,
            Peer::springAsAdvised,
            name -> "hasp:spring:" + name),
    SPRING_REDIS_SPIN(
            PeerConformance.SpringOnRedisSpinning.class,
            On.REDIS,
            (address, lease) -> spring(RedisLockType.SPIN_LOCK, address, lease),
            name -> "hasp:spring-spin:" + name),
    SPINLOCK(
            PeerConformance.SpinLock.class,
            On.REDIS,
            (address, lease) -> redisson(RedissonLock.Kind.SPINLOCK, address, lease),
            name -> "hasp:spinlock:" + name),
    REDISSON_REDLOCK(
            PeerConformance.RedLock.class,
            On.REDLOCK,
            (address, lease) -> new RedissonRedlock("redlock://" + address, lease, false),
            name -> "hasp:redlock:" + name),
    CURATOR_SHARED(
            PeerConformance.SharedMutex.class,
            On.ZOOKEEPER,
            (address, session) -> new CuratorMutex(zookeeper(address), CuratorMutex.Kind.SHARED, session),
            name -> "/hasp-compare/curator/" + name),
    CURATOR_SEMAPHORE_MUTEX(
            PeerConformance.SemaphoreMutex.class,
            On.ZOOKEEPER,
            (address, session) -> new CuratorMutex(zookeeper(address), CuratorMutex.Kind.SEMAPHORE, session),
            name -> "/hasp-compare/curator-mutex/" + name),
    CURATOR(
            PeerConformance.Mutex.class,
            On.ZOOKEEPER,
            (address, session) -> new CuratorMutex(zookeeper(address), CuratorMutex.Kind.PER_THREAD, session),
            name -> "/hasp-compare/curator/" + name),
    SPRING_ZOOKEEPER(
            PeerConformance.SpringOnZooKeeper.class,
            On.ZOOKEEPER,
            (address, session) -> new SpringZooKeeper(zookeeper(address), session),
            name -> "/hasp-compare/spring/" + name),
    SHEDLOCK_REDIS(
            PeerConformance.ShedLockOnRedis.class,
            On.REDIS,
            (address, most) -> new AskedAgain(new ShedLock(RedisEndpoint.of(redis(address)), most)),
            name -> "hasp:shedlock:default:" + name),
    SPRING_JDBC(
            PeerConformance.SpringOnJdbc.class,
            On.POSTGRES,
            (address, expiry) -> new SpringJdbc(PostgresServer.uri(address), expiry),
            name -> "int_lock"),
    SHEDLOCK_JDBC(
            PeerConformance.ShedLockOnJdbc.class,
            On.POSTGRES,
            (address, most) -> new AskedAgain(new ShedLockJdbc(PostgresServer.uri(address), most)),
            name -> "shedlock"),
    REDISSON_READ_WRITE(
            PeerConformance.RedissonReadWrite.class,
            On.REDIS,
            (address, lease) -> new Claiming(
                    "redisson-rreadwritelock",
                    redisson(RedissonLock.Kind.RLOCK, address, lease),
                    Claimed.READ_WRITE,
                    Claimed.DOWNGRADE,
                    Claimed.RENEWAL),
            name -> "hasp:rwlock:" + name),
    REDISSON_SEMAPHORE(
            PeerConformance.RedissonPermits.class,
            On.REDIS,
            (address, lease) -> new Claiming(
                    "redisson-semaphore",
                    redisson(RedissonLock.Kind.RLOCK, address, lease),
                    Claimed.SEMAPHORE,
                    Claimed.RENEWAL),
            name -> "hasp:permits:" + name),
    REDISSON_SEMAPHORE_LEASED(
            PeerConformance.RedissonLeasedPermits.class,
            On.REDIS,
            (address, lease) -> new RedissonLeasedSemaphore(redis(address), lease),
            name -> "hasp:permits:" + name),
    CURATOR_READ_WRITE(
            PeerConformance.CuratorReadWrite.class,
            On.ZOOKEEPER,
            (address, session) -> new Claiming(
                    "curator-readwritelock",
                    new CuratorMutex(zookeeper(address), CuratorMutex.Kind.SHARED, session),
                    Claimed.READ_WRITE,
                    Claimed.DOWNGRADE,
                    Claimed.RENEWAL,
                    Claimed.FIFO),
            name -> "/hasp-compare/curator-rw/" + name),
    CURATOR_SEMAPHORE(
            PeerConformance.CuratorPermits.class,
            On.ZOOKEEPER,
            (address, session) -> new Claiming(
                    "curator-semaphore",
                    new CuratorMutex(zookeeper(address), CuratorMutex.Kind.SHARED, session),
                    Claimed.SEMAPHORE,
                    Claimed.RENEWAL),
            name -> "/hasp-compare/curator-permits/" + name);

    /** The servers of a peer's test. */
    enum On {
        REDIS,
        /** Three independent servers. */
        REDLOCK,
        ZOOKEEPER,
        POSTGRES
    }

    /** Of Spring Data Redis's page on connections; Lettuce's own is a minute. */
    private static final Duration ADVISED_BY_SPRING = Duration.ofSeconds(2);

    /** Longer than a lease: a busy disk keeps a ZooKeeper server silent for seconds. */
    private static final Duration SESSION = Timings.lease().multipliedBy(4);

    /** Longer than a lease: a machine that stands still for a while must not end a lock that nothing renews. */
    private static final Duration UNRENEWED = Timings.lease().multipliedBy(4);

    /** Four times the three seconds that Redisson waits for an answer before it retries. */
    private static final Duration LEASE_ON_THE_WIRE = Timings.lease().multipliedBy(8);

    private final Class<? extends PeerConformance> adopter;
    private final On servers;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final BiFunction<String, Duration, LockSubject> subject;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<String, String> endpoint;

    Peer(
            Class<? extends PeerConformance> adopter,
            On servers,
            BiFunction<String, Duration, LockSubject> subject,
            Function<String, String> endpoint) {
        this.adopter = adopter;
        this.servers = servers;
        this.subject = subject;
        this.endpoint = endpoint;
    }

    private static LockSubject redisson(RedissonLock.Kind kind, String address, Duration lease) {
        return new RedissonLock(kind, RedisEndpoint.of(redis(address)), lease, false);
    }

    private static LockSubject spring(RedisLockType mode, String address, Duration lease) {
        return new SpringRedis(RedisEndpoint.of(redis(address)), mode, lease);
    }

    private static LockSubject springAsAdvised(String address, Duration lease) {
        return new SpringRedis(RedisEndpoint.of(redis(address)), RedisLockType.PUB_SUB_LOCK, lease, ADVISED_BY_SPRING);
    }

    private static String redis(String address) {
        return "redis://" + address;
    }

    private static String zookeeper(String address) {
        return "zookeeper://" + address + "/" + Environment.SCOPE;
    }

    /** Returns the peer's name in the table. */
    String label() {
        return at(servers == On.REDLOCK ? "h:1,h:2,h:3" : "h:1").name();
    }

    /** The test class that JUnit runs. */
    Class<? extends PeerConformance> adopter() {
        return adopter;
    }

    On servers() {
        return servers;
    }

    private boolean hasSessions() {
        return servers == On.ZOOKEEPER;
    }

    private boolean isRenewed() {
        return this != SHEDLOCK_REDIS && servers != On.POSTGRES;
    }

    LockSubject at(String address) {
        return subject.apply(address, hasSessions() ? SESSION : isRenewed() ? Timings.lease() : UNRENEWED);
    }

    /** Through a wire that loses something: with {@link #leaseOnTheWire()}. */
    LockSubject onTheWire(String address) {
        return subject.apply(address, leaseOnTheWire());
    }

    Duration leaseOnTheWire() {
        return hasSessions() ? SESSION : LEASE_ON_THE_WIRE;
    }

    /** The key, the folder of nodes or the table of a lock. */
    String placeOf(String name) {
        return endpoint.apply(name);
    }
}
