package io.hasp.redis;

import static io.hasp.redis.ConfigChecks.require;

import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.SentinelGroup;
import io.hasp.spi.Credentials;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sentinels that give the address of the master. A program begins with {@link #of}, and passes the result to {@link
 * RedisConfig#of(SentinelConfig)}. Immutable.
 *
 * @param masterId the name of the master at the sentinels
 * @param addresses {@code host} or {@code host:port}; the port is 26379 unless it is given. List all sentinels: a sentinel that is down is
 *     skipped
 * @param credentials the sentinels' own user and password for each new connection; empty if they require none
 */
public record SentinelConfig(String masterId, List<String> addresses, Optional<Supplier<Credentials>> credentials) {
    private static final int DEFAULT_PORT = 26379;

    /**
     * Checks all values.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public SentinelConfig {
        require(
                masterId.matches("[A-Za-z0-9._-]{1,128}"),
                "sentinelMasterId is '" + masterId
                        + "': it is the name of the master at the sentinels, of letters,"
                        + " digits and . - _");
        require(!addresses.isEmpty(), "there are no sentinels: at least one must be named");
        addresses = addresses.stream()
                .map(address -> ConfigChecks.address("sentinel", address, DEFAULT_PORT))
                .toList();
        ConfigChecks.requireDistinct("sentinel", addresses);
    }

    /**
     * Returns the configuration of sentinels that require no password.
     *
     * @param masterId the name of the master at the sentinels
     * @param addresses {@code host} or {@code host:port} of each
     * @return a configuration
     * @throws IllegalArgumentException as the constructor
     */
    public static SentinelConfig of(String masterId, String... addresses) {
        return new SentinelConfig(masterId, List.of(addresses), Optional.empty());
    }

    /**
     * Sets the user of the sentinels, which may differ from the servers'.
     *
     * @param user its name; empty for the default user
     * @param password its password
     * @return a new configuration
     */
    public SentinelConfig credentials(String user, String password) {
        return credentials(new Credentials(user, password));
    }

    /**
     * Sets credentials of the sentinels that change while the program runs.
     *
     * @param provider as in {@link RedisConfig#credentials(Supplier)}
     * @return a new configuration
     */
    public SentinelConfig credentials(Supplier<Credentials> provider) {
        return new SentinelConfig(masterId, addresses, Optional.of(provider));
    }

    /** Each reached as the servers are, but with credentials of their own, and with a part of the time each. */
    SentinelGroup endpoint(RedisEndpoint server) {
        Map<String, RedisEndpoint> sentinels = new LinkedHashMap<>();
        for (String address : addresses) {
            sentinels.put(
                    address,
                    server.at(ConfigChecks.host(address), ConfigChecks.port(address))
                            .asSentinel(credentials, addresses.size()));
        }
        return new SentinelGroup(masterId, sentinels);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "SentinelConfig[" + masterId + " at " + String.join(",", addresses) + ConfigChecks.user(credentials)
                + "]";
    }
}
