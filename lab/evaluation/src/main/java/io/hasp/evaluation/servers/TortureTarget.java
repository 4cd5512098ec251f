package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.SentinelServers;
import io.hasp.conformance.torture.TortureEnvironment;
import java.util.Locale;
import java.util.function.Supplier;

/** Locks that can be tortured, each with its servers: Hasp's, and those that people use today. */
public enum TortureTarget {
    /** On one Redis server, through Jedis. */
    HASP_REDIS_JEDIS(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redis://" + environment.address() + "?commandTimeout=2s&connection=jedis";
        }
    },
    /** On one Redis server, through Lettuce. */
    HASP_REDIS_LETTUCE(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redis://" + environment.address() + "?commandTimeout=2s&connection=lettuce";
        }
    },
    /** On one Redis server, through an application's Redisson client. */
    HASP_REDIS_REDISSON(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redis://" + environment.address() + "?commandTimeout=2s";
        }

        @Override
        public boolean byUri() {
            return false;
        }
    },
    /** On five independent Redis servers. */
    HASP_REDLOCK(TortureEnvironment::redlock) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redlock://" + environment.address() + "?nodeTimeout=500ms";
        }
    },
    /** On three ZooKeeper servers. */
    HASP_ZOOKEEPER(TortureEnvironment::zookeeper) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "zookeeper://" + environment.address() + "?commandTimeout=2s&sessionTimeout="
                    + environment.silence().toMillis() + "ms";
        }
    },
    /** Elections on one Redis server. */
    HASP_ELECTION_REDIS(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return HASP_REDIS_JEDIS.uri(environment);
        }
    },
    /** Elections on a Redis master whose only replica acknowledges each grant, with sentinels. */
    HASP_ELECTION_SENTINEL(TortureEnvironment::sentinel) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redis-sentinel://" + environment.address() + "?sentinelMasterId=" + SentinelServers.MASTER_ID
                    + "&commandTimeout=2s&acknowledge=1";
        }
    },
    /** Elections on three ZooKeeper servers. */
    HASP_ELECTION_ZOOKEEPER(TortureEnvironment::zookeeper) {
        @Override
        public String uri(TortureEnvironment environment) {
            return HASP_ZOOKEEPER.uri(environment);
        }
    },
    /** Several locks at once on one Redis server. */
    HASP_ALL_OF_REDIS(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return HASP_REDIS_JEDIS.uri(environment);
        }
    },
    /** Several locks at once on a Redis master whose only replica acknowledges each grant, with sentinels. */
    HASP_ALL_OF_SENTINEL(TortureEnvironment::sentinel) {
        @Override
        public String uri(TortureEnvironment environment) {
            return HASP_ELECTION_SENTINEL.uri(environment);
        }
    },
    /** Several locks at once on three ZooKeeper servers. */
    HASP_ALL_OF_ZOOKEEPER(TortureEnvironment::zookeeper) {
        @Override
        public String uri(TortureEnvironment environment) {
            return HASP_ZOOKEEPER.uri(environment);
        }
    },
    /** Redisson's {@code RLock}. */
    REDISSON_RLOCK(TortureEnvironment::redis),
    /** Redisson's fair lock. */
    REDISSON_FAIRLOCK(TortureEnvironment::redis),
    /** Spring Integration's registry on Redis. */
    SPRING_REDIS(TortureEnvironment::redis),
    /** Redisson's Redlock. */
    REDISSON_REDLOCK(TortureEnvironment::redlock),
    /** Curator's {@code InterProcessMutex}, one instance shared by all threads. */
    CURATOR_MUTEX(TortureEnvironment::zookeeper),
    /** Spring Integration's registry on ZooKeeper. */
    SPRING_ZOOKEEPER(TortureEnvironment::zookeeper);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Supplier<TortureEnvironment> environment;

    TortureTarget(Supplier<TortureEnvironment> environment) {
        this.environment = environment;
    }

    /**
     * Starts the servers.
     *
     * @return a new environment, closed by the caller
     */
    public TortureEnvironment open() {
        if (isElection()) {
            return environment.get().electing();
        }
        if (name().startsWith("HASP_ALL_OF")) {
            return environment.get().together();
        }
        return isHasp() ? environment.get() : environment.get().exclusive();
    }

    /**
     * Returns true if the clients hold each lock as the leader of an election.
     *
     * @return true for elections
     */
    public boolean isElection() {
        return name().startsWith("HASP_ELECTION");
    }

    /**
     * Returns true for a lock of Hasp. Other locks are tested in exclusive mode only, because their libraries have
     * separate locks for sharing.
     *
     * @return false for a lock of another library
     */
    public boolean isHasp() {
        return name().startsWith("HASP");
    }

    /**
     * False for a lock of another library, and for Hasp on the client of another library.
     *
     * @return true if Hasp connects by {@link #uri}
     */
    public boolean byUri() {
        return isHasp();
    }

    /**
     * Returns the address for its clients.
     *
     * @param environment a result of {@link #open}
     * @return a URI
     */
    public String uri(TortureEnvironment environment) {
        String scheme =
                name().contains("REDLOCK") ? "redlock://" : name().contains("REDI") ? "redis://" : "zookeeper://";
        String path = scheme.equals("zookeeper://") ? "/" + Environment.SCOPE : "?keyPrefix=" + Environment.SCOPE;
        return scheme + environment.address() + path;
    }

    /**
     * Returns the target's name on the command line.
     *
     * @return its name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return label();
    }
}
