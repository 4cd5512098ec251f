package io.hasp.evaluation.servers;

import io.hasp.conformance.torture.TortureEnvironment;
import java.util.Locale;
import java.util.function.Supplier;

/** Hasp's locks that can be tortured, each with its servers. */
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
    /** On one Redis server, through Redisson. */
    HASP_REDIS_REDISSON(TortureEnvironment::redis) {
        @Override
        public String uri(TortureEnvironment environment) {
            return "redis://" + environment.address() + "?commandTimeout=2s&connection=redisson";
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
    };

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
        return environment.get();
    }

    /**
     * What its clients connect to.
     *
     * @param environment as {@link #open} gave it
     * @return a URI
     */
    public abstract String uri(TortureEnvironment environment);

    /**
     * How the command line calls it.
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
