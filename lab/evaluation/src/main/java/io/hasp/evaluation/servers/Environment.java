package io.hasp.evaluation.servers;

import java.util.List;

/**
 * The servers' addresses and the setup of clients. The URIs are those of Hasp's own backends; they may contain
 * credentials, and they name a key prefix or path that belongs to one comparison. The URI of a service that takes no
 * part is empty.
 *
 * @param redis such as {@code redis://127.0.0.1:6379?keyPrefix=hasp-compare}
 * @param redlock such as {@code redlock://127.0.0.1:6379,127.0.0.1:6380,127.0.0.1:6381?keyPrefix=hasp-compare}
 * @param zookeeper such as {@code zookeeper://127.0.0.1:2181,127.0.0.1:2182/hasp-compare}
 * @param postgres such as {@code postgresql://127.0.0.1/postgres?schema=create&schemaName=hasp_compare}
 * @param profile the setup of clients
 * @param replica of the one Redis server, such as {@code 127.0.0.1:6380}, for libraries that need its address; empty if
 *     there is none, or if sentinels or nodes of a cluster provide it
 */
public record Environment(
        String redis, String redlock, String zookeeper, String postgres, ClientProfile profile, String replica) {
    /** The key prefix and the path on servers that were started for the comparison. */
    public static final String SCOPE = "hasp-compare";

    /** The number of texts that {@link #toArguments} makes. */
    public static final int ARGUMENTS = 6;

    /**
     * Creates an environment without PostgreSQL, and without a replica that clients need the address of.
     *
     * @param redis as above, like the others
     * @param redlock likewise
     * @param zookeeper likewise
     * @param profile likewise
     */
    public Environment(String redis, String redlock, String zookeeper, ClientProfile profile) {
        this(redis, redlock, zookeeper, "", profile, "");
    }

    /**
     * The same servers with another client profile.
     *
     * @param others how clients are set up
     * @return a new environment
     */
    public Environment on(ClientProfile others) {
        return new Environment(redis, redlock, zookeeper, postgres, others, replica);
    }

    /**
     * Returns the Redis server, or the servers that provide its address, for libraries other than Hasp.
     *
     * @return its endpoint
     */
    public RedisEndpoint redisEndpoint() {
        RedisEndpoint endpoint = RedisEndpoint.of(redis);
        return replica.isEmpty() ? endpoint : endpoint.withReplica(replica);
    }

    /**
     * As arguments of a command to another process, with its credentials.
     *
     * @return one text for each component
     */
    public List<String> toArguments() {
        return List.of(redis, redlock, zookeeper, postgres, profile.name(), replica);
    }

    /**
     * From the arguments of a command.
     *
     * @param arguments as {@link #toArguments} made them
     * @return the same environment
     */
    public static Environment ofArguments(List<String> arguments) {
        return new Environment(
                arguments.get(0),
                arguments.get(1),
                arguments.get(2),
                arguments.get(3),
                ClientProfile.valueOf(arguments.get(4)),
                arguments.get(5));
    }

    /** Without the URIs, which may have passwords. */
    @Override
    public String toString() {
        return "Environment[" + profile + "]";
    }
}
