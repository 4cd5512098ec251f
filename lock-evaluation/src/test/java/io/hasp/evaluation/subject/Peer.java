package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Timings;
import io.hasp.evaluation.servers.Setting;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The libraries that people use today, set up as the comparison does it, but with the suite's short leases. */
enum Peer {
    RLOCK(
            PeerConformance.RLock.class,
            true,
            port -> redisson(RedissonLock.Kind.RLOCK, port),
            name -> "hasp:rlock:" + name),
    FENCEDLOCK(
            PeerConformance.FencedLock.class,
            true,
            port -> redisson(RedissonLock.Kind.FENCEDLOCK, port),
            name -> "hasp:fencedlock:" + name),
    FAIRLOCK(
            PeerConformance.FairLock.class,
            true,
            port -> redisson(RedissonLock.Kind.FAIRLOCK, port),
            name -> "hasp:fairlock:" + name),
    SPRING_REDIS(
            PeerConformance.SpringOnRedis.class,
            true,
            port -> new SpringRedis(redis(port), Timings.lease()),
            name -> "hasp:spring:" + name),
    CURATOR(
            PeerConformance.Mutex.class,
            false,
            port -> new CuratorMutex(zookeeper(port), true, session()),
            name -> "/hasp-compare/curator/" + name),
    SPRING_ZOOKEEPER(
            PeerConformance.SpringOnZooKeeper.class,
            false,
            port -> new SpringZooKeeper(zookeeper(port), session()),
            name -> "/hasp-compare/spring/" + name);

    /** Longer than a lease: a busy disk keeps a ZooKeeper server silent for seconds. */
    private static final int SESSION_LEASES = 4;

    private final Class<? extends PeerConformance> adopter;
    private final boolean onRedis;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final IntFunction<LockSubject> subject;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<String, String> place;

    Peer(
            Class<? extends PeerConformance> adopter,
            boolean onRedis,
            IntFunction<LockSubject> subject,
            Function<String, String> place) {
        this.adopter = adopter;
        this.onRedis = onRedis;
        this.subject = subject;
        this.place = place;
    }

    private static LockSubject redisson(RedissonLock.Kind kind, int port) {
        return new RedissonLock(kind, redis(port), Timings.lease(), false);
    }

    private static String redis(int port) {
        return "redis://127.0.0.1:" + port;
    }

    private static String zookeeper(int port) {
        return "zookeeper://127.0.0.1:" + port + "/" + Setting.SCOPE;
    }

    private static Duration session() {
        return Timings.lease().multipliedBy(SESSION_LEASES);
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
        return subject.apply(port);
    }

    /** The key or the folder of nodes of a lock. */
    String placeOf(String name) {
        return place.apply(name);
    }
}
