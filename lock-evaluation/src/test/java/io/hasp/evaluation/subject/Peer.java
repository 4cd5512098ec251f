package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The libraries that people use today, set up as the comparison does it, but with the suite's short leases. */
enum Peer {
    RLOCK(true, port -> redisson(RedissonLock.Kind.RLOCK, port), name -> "rlock:" + name),
    FENCEDLOCK(true, port -> redisson(RedissonLock.Kind.FENCEDLOCK, port), name -> "fencedlock:" + name),
    FAIRLOCK(true, port -> redisson(RedissonLock.Kind.FAIRLOCK, port), name -> "fairlock:" + name),
    SPRING_REDIS(true, port -> new SpringRedis(redis(port), Timings.lease()), name -> "spring:" + name),
    CURATOR(
            false,
            port -> new CuratorMutex("127.0.0.1:" + port, true, session()),
            name -> "/hasp-compare/curator/" + name),
    SPRING_ZOOKEEPER(
            false, port -> new SpringZooKeeper("127.0.0.1:" + port, session()), name -> "/hasp-compare/spring/" + name);

    /** Longer than a lease, as for Hasp: a busy disk keeps a ZooKeeper server silent for seconds. */
    private static final int SESSION_LEASES = 4;

    private final boolean onRedis;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final IntFunction<LockSubject> subject;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<String, String> place;

    Peer(boolean onRedis, IntFunction<LockSubject> subject, Function<String, String> place) {
        this.onRedis = onRedis;
        this.subject = subject;
        this.place = place;
    }

    private static LockSubject redisson(RedissonLock.Kind kind, int port) {
        return new RedissonLock(kind, redis(port), Timings.lease());
    }

    private static String redis(int port) {
        return "redis://127.0.0.1:" + port;
    }

    private static Duration session() {
        return Timings.lease().multipliedBy(SESSION_LEASES);
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
