package io.hasp.evaluation.subject;

import io.hasp.ClientOptions;
import io.hasp.conformance.LockSubject;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Service;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Every lock of the comparison: Hasp's, those in common use, and a baseline for each service. */
public enum Subject implements Participant {
    /** Hasp on Redis, through Jedis: what a bare {@code redis://} URI gives. */
    HASP_REDIS_JEDIS(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.QUICK,
            in -> SubjectSetup.hasp("hasp-redis-jedis", in, in.redis())),
    /** The same in strict order: the threads of a process wait their turn, too, so no lock is handed off within the process. */
    HASP_REDIS_JEDIS_FIFO(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.USUAL,
            in -> SubjectSetup.hasp("hasp-redis-jedis-fifo", in, in.redis(), "ordering=fifo")),
    /** Hasp on Redis, through Jedis, keeping released locks until another client wants them. */
    HASP_REDIS_KEPT(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> SubjectSetup.hasp("hasp-redis-kept", in, in.redis(), SubjectSetup.keep(in))),
    /** Hasp on Redis, through a Lettuce client. */
    HASP_REDIS_LETTUCE(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> SubjectSetup.hasp("hasp-redis-lettuce", in, in.redis(), "connection=lettuce")),
    /** Hasp on Redis, through an application's Redisson client. */
    HASP_REDIS_REDISSON(
            Service.REDIS,
            Role.HASP,
            ComparisonTier.FULL,
            in -> SubjectSetup.haspOnRedisson("hasp-redis-redisson", in, ClientOptions.defaults())),
    /** Redisson's {@code RLock}. */
    REDISSON_RLOCK(
            Service.REDIS, Role.PEER, ComparisonTier.QUICK, in -> SubjectSetup.redisson(RedissonLock.Kind.RLOCK, in)),
    /** Redisson's fair lock. */
    REDISSON_FAIRLOCK(
            Service.REDIS,
            Role.PEER,
            ComparisonTier.USUAL,
            in -> SubjectSetup.redisson(RedissonLock.Kind.FAIRLOCK, in)),
    /** Redisson's {@code RFencedLock}. */
    REDISSON_FENCEDLOCK(
            Service.REDIS,
            Role.PEER,
            ComparisonTier.FULL,
            in -> SubjectSetup.redisson(RedissonLock.Kind.FENCEDLOCK, in)),
    /** Redisson's spin lock. */
    REDISSON_SPINLOCK(
            Service.REDIS, Role.PEER, ComparisonTier.FULL, in -> SubjectSetup.redisson(RedissonLock.Kind.SPINLOCK, in)),
    /** Spring Integration's registry on Redis, with pub/sub. */
    SPRING_REDIS(
            Service.REDIS, Role.PEER, ComparisonTier.FULL, in -> SubjectSetup.spring(RedisLockType.PUB_SUB_LOCK, in)),
    /** The same registry in its default mode, in which waiters poll. */
    SPRING_REDIS_SPIN(
            Service.REDIS, Role.PEER, ComparisonTier.FULL, in -> SubjectSetup.spring(RedisLockType.SPIN_LOCK, in)),
    /** ShedLock, which does not wait. */
    SHEDLOCK_REDIS(
            Service.REDIS,
            Role.PEER,
            ComparisonTier.FULL,
            in -> new ShedLock(in.redisEndpoint(), in.profile().lease(ShedLock.USUAL_MOST))),
    /** A script to acquire and a script to release, on a plain socket for each thread. */
    BASELINE_REDIS(
            Service.REDIS,
            Role.BASELINE,
            ComparisonTier.QUICK,
            in -> new MinimalRedisLock(in.redis(), in.profile().lease(MinimalRedisLock.USUAL_LEASE))),
    /** The same two scripts through Lettuce, to measure that library's cost. */
    BASELINE_REDIS_LETTUCE(
            Service.REDIS,
            Role.BASELINE,
            ComparisonTier.FULL,
            in -> SubjectSetup.baseline(MinimalLibraryLock.Library.LETTUCE, in)),
    /** The same two scripts through Redisson. */
    BASELINE_REDIS_REDISSON(
            Service.REDIS,
            Role.BASELINE,
            ComparisonTier.FULL,
            in -> SubjectSetup.baseline(MinimalLibraryLock.Library.REDISSON, in)),
    /** Hasp on five independent Redis servers, with fencing tokens. */
    HASP_REDLOCK(
            Service.REDLOCK, Role.HASP, ComparisonTier.FULL, in -> SubjectSetup.hasp("hasp-redlock", in, in.redlock())),
    /** Redisson's {@code RedissonRedLock}, which is deprecated. */
    REDISSON_REDLOCK(
            Service.REDLOCK,
            Role.PEER,
            ComparisonTier.FULL,
            in -> new RedissonRedlock(
                    in.redlock(), SubjectSetup.watchdog(in), in.profile().oneThread())),
    /** Hasp on ZooKeeper. */
    HASP_ZOOKEEPER(
            Service.ZOOKEEPER,
            Role.HASP,
            ComparisonTier.QUICK,
            in -> SubjectSetup.hasp("hasp-zookeeper", in, in.zookeeper())),
    /** Hasp on ZooKeeper, keeping released locks until another client wants them. */
    HASP_ZOOKEEPER_KEPT(
            Service.ZOOKEEPER,
            Role.HASP,
            ComparisonTier.FULL,
            in -> SubjectSetup.hasp("hasp-zookeeper-kept", in, in.zookeeper(), SubjectSetup.keep(in))),
    /** Curator's {@code InterProcessMutex}, one instance shared by all threads. */
    CURATOR_MUTEX(
            Service.ZOOKEEPER,
            Role.PEER,
            ComparisonTier.QUICK,
            in -> SubjectSetup.curator(CuratorMutex.Kind.SHARED, in)),
    /** Curator's {@code InterProcessMutex}, one instance for each thread. */
    CURATOR_MUTEX_PER_THREAD(
            Service.ZOOKEEPER,
            Role.PEER,
            ComparisonTier.USUAL,
            in -> SubjectSetup.curator(CuratorMutex.Kind.PER_THREAD, in)),
    /** Curator's {@code InterProcessSemaphoreMutex}, one instance for each thread. */
    CURATOR_SEMAPHORE_MUTEX(
            Service.ZOOKEEPER,
            Role.PEER,
            ComparisonTier.FULL,
            in -> SubjectSetup.curator(CuratorMutex.Kind.SEMAPHORE, in)),
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
            in -> new MinimalZooKeeperLock(in.zookeeper(), in.profile().session(MinimalZooKeeperLock.USUAL_SESSION))),
    /** Hasp on PostgreSQL. */
    HASP_POSTGRES(
            Service.POSTGRES,
            Role.HASP,
            ComparisonTier.USUAL,
            in -> SubjectSetup.hasp("hasp-postgres", in, in.postgres())),
    /** Spring Integration's {@code JdbcLockRegistry}. */
    SPRING_JDBC(
            Service.POSTGRES,
            Role.PEER,
            ComparisonTier.USUAL,
            in -> new SpringJdbc(in.postgres(), in.profile().lease(SpringJdbc.USUAL_EXPIRY))),
    /** ShedLock on JDBC, which does not wait. */
    SHEDLOCK_JDBC(
            Service.POSTGRES,
            Role.PEER,
            ComparisonTier.FULL,
            in -> new ShedLockJdbc(in.postgres(), in.profile().lease(ShedLock.USUAL_MOST))),
    /** One statement that inserts a row and one that deletes it, on a plain connection for each thread. */
    BASELINE_POSTGRES(
            Service.POSTGRES, Role.BASELINE, ComparisonTier.USUAL, in -> SubjectSetup.minimalPostgres(in, false)),
    /** The same statements, and both wait for the disk. */
    BASELINE_POSTGRES_DURABLE(
            Service.POSTGRES, Role.BASELINE, ComparisonTier.FULL, in -> SubjectSetup.minimalPostgres(in, true));

    /** The part that a lock plays in the comparison. */
    public enum Role {
        /** Measured to see how good it is. */
        HASP,
        /** A lock of a library in common use. */
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

    /**
     * Returns the subject's name on the command line and in results.
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
     * Returns more subjects, for the answer and the picture of all locks. With more work, they would leave too little time for each.
     *
     * @param tier of the comparison
     * @return the subjects with only one question in that comparison
     */
    public static Stream<Subject> pictured(ComparisonTier tier) {
        return switch (tier) {
            case QUICK -> Stream.of(HASP_POSTGRES, SPRING_JDBC);
            case USUAL -> Stream.of(HASP_REDLOCK, SPRING_REDIS, REDISSON_FENCEDLOCK, CURATOR_SEMAPHORE_MUTEX);
            case CURVES, FULL -> Stream.empty();
        };
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
     * Returns true if it keeps released locks until another client requests them.
     *
     * @return true if it keeps locks
     */
    @Override
    public boolean keeps() {
        return this == HASP_REDIS_KEPT || this == HASP_ZOOKEEPER_KEPT;
    }

    /**
     * Returns true if it takes part in an experiment when the user chose no locks: with fewer locks, each has more
     * time. A lock that is kept takes part in experiments about reuse. Strict order is compared with strict order, and
     * exists only with a queue and without readers. A baseline is a reference if no thread queues. Curator's mutex per
     * thread differs from its shared one only if threads of one client queue. Hasp's readers and permits on PostgreSQL
     * have no peer. A lock that nothing renews is not held for long.
     *
     * @param experiment the question
     * @return true if it takes part
     */
    @Override
    public boolean isAsked(Experiment experiment) {
        return switch (this) {
            case HASP_REDIS_KEPT, HASP_ZOOKEEPER_KEPT -> experiment.isAboutReuse();
            case HASP_REDIS_JEDIS_FIFO, REDISSON_FAIRLOCK ->
                experiment == Experiments.UNCONTENDED
                        || (queues(experiment) && experiment.needs().isEmpty());
            case CURATOR_MUTEX_PER_THREAD -> queues(experiment) && !experiment.clientPerThread();
            case HASP_POSTGRES -> experiment != Experiments.READ_MOSTLY && experiment != Experiments.PERMITS;
            case SPRING_JDBC -> experiment != Experiments.HELD;
            default -> role != Role.BASELINE || (!experiment.oneName() && (renews() || experiment != Experiments.HELD));
        };
    }

    private static boolean queues(Experiment experiment) {
        return experiment.makesWait() && experiment != Experiments.HELD;
    }

    private boolean renews() {
        return service == Service.ZOOKEEPER || role != Role.BASELINE;
    }

    /**
     * Returns true if threads of one process get the lock in the order of their requests, as those of several processes
     * do, because the subject measures that order.
     *
     * @param label of a subject
     * @return true for strict order
     */
    public static boolean isStrict(String label) {
        return label.equals(HASP_REDIS_JEDIS_FIFO.label()) || label.equals(REDISSON_FAIRLOCK.label());
    }

    /**
     * Returns true if it can wait for a busy lock. Otherwise it takes part only in work without waiting.
     *
     * @return true if it can wait
     */
    @Override
    public boolean waits() {
        return this != SHEDLOCK_REDIS && this != SHEDLOCK_JDBC;
    }

    /**
     * Why it can't be measured on Redis servers in some arrangement.
     *
     * @param topology the arrangement
     * @return the reason; empty if it can
     */
    public Optional<String> obstacle(RedisTopology topology) {
        if (topology == RedisTopology.STANDALONE) {
            return Optional.empty();
        }
        if (service != Service.REDIS) {
            return Optional.of("it takes " + service.words());
        }
        if (topology != RedisTopology.CLUSTER) {
            return Optional.empty();
        }
        return this == BASELINE_REDIS ? Optional.of("its plain sockets lead to one server") : Optional.empty();
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
            case HASP_REDIS_REDISSON -> Optional.of(BASELINE_REDIS_REDISSON);
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
     * Returns the subject's role.
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
