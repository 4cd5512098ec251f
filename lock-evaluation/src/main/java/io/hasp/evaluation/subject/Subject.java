package io.hasp.evaluation.subject;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every lock that can be compared: Hasp's, those that people use today, and a baseline for each service. */
public enum Subject implements Participant {
    /** Hasp on Redis, through Jedis: what a bare {@code redis://} URI gives. */
    HASP_REDIS_JEDIS(Service.REDIS, Role.HASP, ComparisonTier.QUICK, in -> hasp("hasp-redis-jedis", in, in.redis())),
    /** The same without local hand-off. */
    HASP_REDIS_JEDIS_NOHANDOFF(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-redis-jedis-nohandoff", in, in.redis(), "handOff=0")),
    /** Hasp on Redis, through Jedis, keeping released locks until another client wants them. */
    HASP_REDIS_KEPT(
            Service.REDIS, Role.HASP, ComparisonTier.FULL, in -> hasp("hasp-redis-kept", in, in.redis(), keep(in))),
    /** Hasp on Redis, through a Lettuce client. */
    HASP_REDIS_LETTUCE(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-redis-lettuce", in, in.redis(), "connection=lettuce")),
    /** Hasp on Redis, through a Redisson client. */
    HASP_REDIS_REDISSON(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-redis-redisson", in, in.redis(), "connection=redisson")),
    /** The same without local hand-off. */
    HASP_REDIS_REDISSON_NOHANDOFF(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-redis-redisson-nohandoff", in, in.redis(), "connection=redisson", "handOff=0")),
    /** Redisson's {@code RLock}. */
    REDISSON_RLOCK(Service.REDIS, Role.PEER, ComparisonTier.QUICK, in -> redisson(RedissonLock.Kind.RLOCK, in)),
    /** Redisson's fair lock. */
    REDISSON_FAIRLOCK(Service.REDIS, Role.PEER, ComparisonTier.USUAL, in -> redisson(RedissonLock.Kind.FAIRLOCK, in)),
    /** Spring Integration's registry on Redis. */
    SPRING_REDIS(
            Service.REDIS,
            Role.PEER,
            ComparisonTier.USUAL,
            in -> new SpringRedis(in.redis(), in.profile().lease(SpringRedis.USUAL_EXPIRY))),
    /** A script to acquire and a script to release, on a plain socket for each thread. */
    BASELINE_REDIS(
            Service.REDIS,
            Role.BASELINE,
            ComparisonTier.QUICK,
            in -> new RedisBaseline(in.redis(), in.profile().lease(RedisBaseline.USUAL_LEASE))),
    /** The same two scripts through Lettuce: what that client costs. */
    BASELINE_REDIS_LETTUCE(
            Service.REDIS, Role.BASELINE, ComparisonTier.FULL, in -> baseline(ClientBaseline.Library.LETTUCE, in)),
    /** The same two scripts through Redisson. */
    BASELINE_REDIS_REDISSON(
            Service.REDIS, Role.BASELINE, ComparisonTier.FULL, in -> baseline(ClientBaseline.Library.REDISSON, in)),
    /** Hasp on five independent Redis servers, with fencing tokens. */
    HASP_REDLOCK(Service.REDLOCK, Role.HASP, ComparisonTier.USUAL, in -> hasp("hasp-redlock", in, in.redlock())),
    /** Redisson's Redlock. */
    REDISSON_REDLOCK(
            Service.REDLOCK,
            Role.PEER,
            ComparisonTier.USUAL,
            in -> new RedissonRedlock(in.redlock(), watchdog(in), in.profile().oneThread())),
    /** Hasp on ZooKeeper. */
    HASP_ZOOKEEPER(
            Service.ZOOKEEPER, Role.HASP, ComparisonTier.QUICK, in -> hasp("hasp-zookeeper", in, in.zookeeper())),
    /** The same without local hand-off. */
    HASP_ZOOKEEPER_NOHANDOFF(
            Service.ZOOKEEPER,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-zookeeper-nohandoff", in, in.zookeeper(), "handOff=0")),
    /** Hasp on ZooKeeper, where a holder does not wait for the server to confirm its release. */
    HASP_ZOOKEEPER_ASYNC(
            Service.ZOOKEEPER,
            Role.HASP,
            ComparisonTier.FULL,
            in -> new ReleasingAsync("hasp-zookeeper-async", haspUri(in, in.zookeeper()))),
    /** Hasp on ZooKeeper, keeping released locks until another client wants them. */
    HASP_ZOOKEEPER_KEPT(
            Service.ZOOKEEPER,
            Role.HASP,
            ComparisonTier.FULL,
            in -> hasp("hasp-zookeeper-kept", in, in.zookeeper(), keep(in))),
    /** Curator's {@code InterProcessMutex}, one instance shared by all threads. */
    CURATOR_MUTEX(Service.ZOOKEEPER, Role.PEER, ComparisonTier.QUICK, in -> curator(false, in)),
    /** Curator's {@code InterProcessMutex}, one instance for each thread. */
    CURATOR_MUTEX_PER_THREAD(Service.ZOOKEEPER, Role.PEER, ComparisonTier.USUAL, in -> curator(true, in)),
    /** Spring Integration's registry on ZooKeeper. */
    SPRING_ZOOKEEPER(
            Service.ZOOKEEPER,
            Role.PEER,
            ComparisonTier.FULL,
            in -> new SpringZooKeeper(in.zookeeper(), in.profile().session(CuratorMutex.USUAL_SESSION))),
    /** Create and delete on the plain ZooKeeper handle. */
    BASELINE_ZOOKEEPER(
            Service.ZOOKEEPER,
            Role.BASELINE,
            ComparisonTier.QUICK,
            in -> new ZooKeeperBaseline(in.zookeeper(), in.profile().session(ZooKeeperBaseline.USUAL_SESSION)));

    /** A third of the lease, the most that is allowed. */
    private static final int LEASE_TO_KEEP = 3;

    private static final Duration LEASE_IF_KEPT = Duration.ofSeconds(9);

    /** The part that a lock plays in the comparison. */
    public enum Role {
        /** Measured to see how good it is. */
        HASP,
        /** What people use today. */
        PEER,
        /** The least work that can be called a lock. */
        BASELINE
    }

    private final Service service;
    private final Role role;
    private final ComparisonTier least;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<Environment, LockSubject> subject;

    Subject(Service service, Role role, ComparisonTier least, Function<Environment, LockSubject> subject) {
        this.service = service;
        this.role = role;
        this.least = least;
        this.subject = subject;
    }

    /** Hasp as its users have it: with default options, which are not the short leases of the suite. */
    private static LockSubject hasp(String name, Environment in, String uri, String... parameters) {
        String whole = haspUri(in, uri, parameters);
        HaspSubject hasp = new HaspSubject(name, options -> LockClient.connect(whole));
        return in.redlock().equals(uri) ? hasp : hasp.sharing();
    }

    private static String haspUri(Environment in, String uri, String... parameters) {
        List<String> all = new ArrayList<>(List.of(parameters));
        if (in.profile() == ClientProfile.SHORT) {
            all.add("renewedLease=" + Experiments.LEASE);
            if (uri.startsWith(Service.ZOOKEEPER.scheme())) {
                all.add("sessionTimeout=" + Experiments.SESSION);
                all.add("connectionTimeout=" + Experiments.SESSION);
            }
        }
        String query = String.join("&", all);
        return query.isEmpty() ? uri : uri + (uri.contains("?") ? "&" : "?") + query;
    }

    private static String keep(Environment in) {
        return "keep=" + in.profile().lease(LEASE_IF_KEPT).dividedBy(LEASE_TO_KEEP);
    }

    private static LockSubject redisson(RedissonLock.Kind kind, Environment in) {
        return new RedissonLock(kind, in.redis(), watchdog(in), in.profile().oneThread());
    }

    private static LockSubject baseline(ClientBaseline.Library library, Environment in) {
        return new ClientBaseline(
                library,
                in.redis(),
                in.profile().lease(RedisBaseline.USUAL_LEASE),
                in.profile().oneThread());
    }

    private static Duration watchdog(Environment in) {
        return in.profile().lease(RedissonLock.USUAL_WATCHDOG);
    }

    private static LockSubject curator(boolean perThread, Environment in) {
        return new CuratorMutex(in.zookeeper(), perThread, in.profile().session(CuratorMutex.USUAL_SESSION));
    }

    /**
     * How the command line and the results call it.
     *
     * @return its name in lower case
     */
    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds one.
     *
     * @param label as {@link #label} gives it; a baseline is also found by its earlier name, such as {@code floor-redis}
     * @return the subject
     * @throws IllegalArgumentException naming all there are, if there is none of that name
     */
    public static Subject of(String label) {
        String current = label.replaceFirst("^floor-", "baseline-");
        return Stream.of(values())
                .filter(each -> each.label().equals(current))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown subject '" + label + "', there are "
                        + String.join(
                                ", ", Stream.of(values()).map(Subject::label).toList())));
    }

    /**
     * The subjects that take part in every experiment unless the user chooses.
     *
     * @param tier of the comparison
     * @return the subjects, more in a larger comparison
     */
    public static Stream<Subject> usual(ComparisonTier tier) {
        return Stream.of(values()).filter(each -> each.least.compareTo(tier) <= 0 && !each.keeps());
    }

    /**
     * The subjects that take part in experiments about reuse only, unless the user chooses.
     *
     * @return those that {@link #keeps}
     */
    public static Stream<Subject> keeping() {
        return Stream.of(values()).filter(Subject::keeps);
    }

    /**
     * Whether it keeps released locks until another client wants them.
     *
     * @return true if so
     */
    @Override
    public boolean keeps() {
        return plain().isPresent();
    }

    /**
     * The same lock without the one option that it is measured for.
     *
     * @return empty unless it is to be compared with that
     */
    @Override
    public Optional<Subject> plain() {
        return switch (this) {
            case HASP_REDIS_KEPT -> Optional.of(HASP_REDIS_JEDIS);
            case HASP_ZOOKEEPER_KEPT -> Optional.of(HASP_ZOOKEEPER);
            default -> Optional.empty();
        };
    }

    /**
     * The least work through the client library that it uses.
     *
     * @return empty if that is the baseline of its service
     */
    @Override
    public Optional<Subject> clientBaseline() {
        return switch (this) {
            case HASP_REDIS_LETTUCE -> Optional.of(BASELINE_REDIS_LETTUCE);
            case HASP_REDIS_REDISSON, HASP_REDIS_REDISSON_NOHANDOFF -> Optional.of(BASELINE_REDIS_REDISSON);
            default -> Optional.empty();
        };
    }

    /**
     * The service it runs on.
     *
     * @return the service
     */
    @Override
    public Service service() {
        return service;
    }

    /**
     * Which part it plays.
     *
     * @return the role
     */
    @Override
    public Role role() {
        return role;
    }

    /**
     * The lock itself.
     *
     * @param environment where its servers are
     * @return the lock, not yet connected
     */
    @Override
    public LockSubject in(Environment environment) {
        return subject.apply(environment);
    }
}
