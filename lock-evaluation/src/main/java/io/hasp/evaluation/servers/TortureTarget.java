package io.hasp.evaluation.servers;

import io.hasp.conformance.torture.Arena;
import java.util.Locale;
import java.util.function.Supplier;

/** Hasp's locks that can be tortured, each with its servers. */
public enum TortureTarget {
    /** On one Redis server, through Jedis. */
    HASP_REDIS_JEDIS(Arena::redis) {
        @Override
        public String uri(Arena arena) {
            return "redis://" + arena.address() + "?commandTimeout=2s&connection=jedis";
        }
    },
    /** On one Redis server, through Redisson. */
    HASP_REDIS_REDISSON(Arena::redis) {
        @Override
        public String uri(Arena arena) {
            return "redis://" + arena.address() + "?commandTimeout=2s&connection=redisson";
        }
    },
    /** On five independent Redis servers. */
    HASP_REDLOCK(Arena::redlock) {
        @Override
        public String uri(Arena arena) {
            return "redlock://" + arena.address() + "?nodeTimeout=500ms";
        }
    },
    /** On three ZooKeeper servers. */
    HASP_ZOOKEEPER(Arena::zookeeper) {
        @Override
        public String uri(Arena arena) {
            return "zookeeper://" + arena.address() + "?commandTimeout=2s&sessionTimeout="
                    + arena.silence().toMillis() + "ms";
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Supplier<Arena> arena;

    TortureTarget(Supplier<Arena> arena) {
        this.arena = arena;
    }

    /**
     * Starts the servers.
     *
     * @return a new arena, closed by the caller
     */
    public Arena open() {
        return arena.get();
    }

    /**
     * What its clients connect to.
     *
     * @param arena as {@link #open} gave it
     * @return a URI
     */
    public abstract String uri(Arena arena);

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
