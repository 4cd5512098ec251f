package io.hasp.evaluation.subject;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every lock that can be compared: Hasp's, the libraries people use today, and the floor under them all. */
public enum Contestant {
    /** Hasp on Redis, through Jedis: what a bare {@code redis://} URI gives. */
    HASP_REDIS_JEDIS(Service.REDIS, Role.HASP, servers -> hasp("hasp-redis-jedis", servers.redis())),
    /** Hasp on Redis, through a Redisson client. */
    HASP_REDIS_REDISSON(
            Service.REDIS, Role.HASP, servers -> hasp("hasp-redis-redisson", servers.redis() + "?connection=redisson")),
    /** Redisson's {@code RLock}. */
    REDISSON_RLOCK(Service.REDIS, Role.PEER, servers -> new RedissonRLock(servers.redis())),
    /** A script to take and a script to give back, on a plain socket for each thread. */
    FLOOR_REDIS(Service.REDIS, Role.FLOOR, servers -> new RedisFloor(servers.redis())),
    /** Hasp on ZooKeeper. */
    HASP_ZOOKEEPER(
            Service.ZOOKEEPER, Role.HASP, servers -> hasp("hasp-zookeeper", "zookeeper://" + servers.zookeeper())),
    /** Curator's {@code InterProcessMutex}, one instance shared by all threads. */
    CURATOR_MUTEX(Service.ZOOKEEPER, Role.PEER, servers -> new CuratorMutex(servers.zookeeper())),
    /** Create and delete on the plain ZooKeeper handle. */
    FLOOR_ZOOKEEPER(Service.ZOOKEEPER, Role.FLOOR, servers -> new ZooKeeperFloor(servers.zookeeper()));

    /** The part that a lock plays in the comparison. */
    public enum Role {
        /** Measured to see how good it is. */
        HASP,
        /** What people use today. */
        PEER,
        /** The least work that can be called a lock. */
        FLOOR
    }

    private final Service service;
    private final Role role;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<Servers, LockSubject> subject;

    Contestant(Service service, Role role, Function<Servers, LockSubject> subject) {
        this.service = service;
        this.role = role;
        this.subject = subject;
    }

    /** Hasp as its users have it: with default options, which are not the short leases of the suite. */
    private static LockSubject hasp(String name, String uri) {
        return new HaspSubject(name, options -> LockClient.connect(uri));
    }

    /**
     * How the command line and the results call it.
     *
     * @return its name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds one.
     *
     * @param label as {@link #label} gives it
     * @return the contestant
     * @throws IllegalArgumentException naming all there are, if there is none of that name
     */
    public static Contestant of(String label) {
        return Stream.of(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown subject '" + label + "', there are "
                        + String.join(
                                ", ", Stream.of(values()).map(Contestant::label).toList())));
    }

    /**
     * Who takes part unless the user says who.
     *
     * @param quick whether there is little time
     * @return the contestants, fewer if it is quick
     */
    public static Stream<Contestant> usual(boolean quick) {
        return Stream.of(values()).filter(each -> !quick || each != HASP_REDIS_JEDIS);
    }

    /**
     * What it runs on.
     *
     * @return the service
     */
    public Service service() {
        return service;
    }

    /**
     * Which part it plays.
     *
     * @return the role
     */
    public Role role() {
        return role;
    }

    /**
     * The lock itself.
     *
     * @param servers where it runs
     * @return the lock, not yet connected
     */
    public LockSubject on(Servers servers) {
        return subject.apply(servers);
    }
}
