package io.hasp.evaluation.servers;

import io.hasp.redis.RedisConfig;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** In which arrangement Redis is started for a comparison. */
public enum RedisTopology {
    /** One server. */
    STANDALONE("Redis (1 server)"),
    /** A master with two replicas, watched by three sentinels. */
    SENTINEL("Redis (a master, 2 replicas, 3 sentinels)"),
    /** Three masters that share the slots, each with a replica. */
    CLUSTER("Redis (cluster of 3 masters, 3 replicas)");

    private final String words;

    RedisTopology(String words) {
        this.words = words;
    }

    /**
     * Returns the topology's name on the command line.
     *
     * @return its name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The servers.
     *
     * @return words for a heading
     */
    public String words() {
        return words;
    }

    /**
     * Finds the topology named by words in results.
     *
     * @param heading the words of a service, and perhaps more
     * @return empty if they name none
     */
    public static Optional<RedisTopology> in(String heading) {
        for (RedisTopology each : values()) {
            if (heading.startsWith(each.words)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /**
     * Finds one.
     *
     * @param label as {@link #label} gives it
     * @return the arrangement
     * @throws IllegalArgumentException naming all there are, if there is none of that name
     */
    public static RedisTopology of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is none of "
                        + Arrays.stream(values()).map(RedisTopology::label).collect(Collectors.joining(", "))));
    }

    static RedisTopology of(RedisConfig config) {
        if (config.sentinel().isPresent()) {
            return SENTINEL;
        }
        return config.nodes().isEmpty() ? STANDALONE : CLUSTER;
    }

    @Override
    public String toString() {
        return label();
    }
}
