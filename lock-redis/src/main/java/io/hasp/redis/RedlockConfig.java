package io.hasp.redis;

import static io.hasp.redis.ConfigChecks.require;

import io.hasp.redis.cluster.Address;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Addresses and settings of the nodes of a Redlock.
 *
 * <pre>
 * redlock://[user:password@]host[:port],host[:port],host[:port]…[/database][?parameter=value&amp;…]
 * </pre>
 *
 * <p>The nodes are independent masters: no node is a replica of another. Every client must name the same nodes. User, password and database
 * apply to each node. An IPv6 address stands in brackets.
 *
 * <table>
 * <caption>Parameters of the URI</caption>
 * <tr><th>parameter</th><th>default</th><th>meaning</th></tr>
 * <tr><td>{@code nodeTimeout}</td><td>{@code 200ms}</td><td>how long to connect to one node and to wait for one answer of
 *     it, such as {@code 50ms}, {@code PT0.05S}; from 10 ms to 10 s. It should be far below the lease</td></tr>
 * <tr><td>{@code keyPrefix}</td><td>{@value RedisLocks#DEFAULT_KEY_PREFIX}</td><td>as in {@link RedisConfig}</td></tr>
 * </table>
 *
 * <p>TLS is not offered yet. {@link Eviction#ACCEPTED} is refused: Redlock needs {@code noeviction} on each node.
 *
 * @param nodes the nodes: an odd number, at least three, each only once; kept in the order of their addresses
 * @param nodeTimeout the time limit for a connection to one node and for one answer
 */
public record RedlockConfig(List<RedisConfig> nodes, Duration nodeTimeout) {
    private static final int FEWEST = 3;
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Checks all values.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public RedlockConfig {
        String named = nodes.stream().map(RedlockConfig::address).collect(Collectors.joining(", "));
        require(
                nodes.size() >= FEWEST && nodes.size() % 2 == 1,
                "there are " + nodes.size() + " nodes (" + named
                        + "): Redlock takes an odd number of at least 3, because a majority decides and an even number"
                        + " tolerates no more failures than one less");
        for (RedisConfig node : nodes) {
            require(
                    node.sentinel().isEmpty(),
                    "a node is named by sentinels (" + node.server()
                            + "): the nodes of Redlock are independent servers at fixed addresses, without replicas");
            require(
                    node.locks().acknowledgement().isEmpty(),
                    "node " + address(node)
                            + " has acknowledge, which Redlock does not offer: its nodes are masters without"
                            + " replicas, and a majority of them has each grant");
            long times = nodes.stream()
                    .filter(other -> address(other).equalsIgnoreCase(address(node)))
                    .count();
            require(times == 1, "node " + address(node) + " is given " + times + " times: every node has one vote");
            require(
                    node.locks().eviction() == Eviction.REFUSED,
                    "node " + address(node)
                            + " has eviction=accepted, which Redlock does not offer: its locks outlive the"
                            + " loss of a node only because the others keep them");
            require(node.tls().isEmpty(), "node " + address(node) + " has tls, which Redlock does not offer");
        }
        require(
                nodes.stream().map(node -> node.locks().keyPrefix()).distinct().count() == 1,
                "the nodes have several key prefixes: a lock has the same key on each");
        require(
                nodeTimeout != null && nodeTimeout.compareTo(LONGEST_TIMEOUT) <= 0,
                "nodeTimeout is " + nodeTimeout + ": it must be from 10 ms to 10 s");
        nodes = nodes.stream()
                .sorted(Comparator.comparing(RedlockConfig::address))
                .map(node -> withTimeout(node, nodeTimeout))
                .toList();
    }

    private static String address(RedisConfig node) {
        return new Address(node.host(), node.port()).toString();
    }

    private static RedisConfig withTimeout(RedisConfig node, Duration timeout) {
        try {
            return node.commandTimeout(timeout);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("nodeTimeout is " + timeout + ": it must be from 10 ms to 10 s", e);
        }
    }

    /**
     * Reads a URI.
     *
     * @param uri as in the table
     * @return a configuration
     * @throws IllegalArgumentException naming the part that is unknown, contradictory or out of range, and the known parts
     */
    public static RedlockConfig of(URI uri) {
        RedlockUri parts = RedlockUri.parse(uri);
        return new RedlockConfig(parts.nodes(), parts.nodeTimeout());
    }

    String keyPrefix() {
        return nodes.get(0).locks().keyPrefix();
    }

    /** Omits the passwords. */
    @Override
    public String toString() {
        return "RedlockConfig" + nodes + ", nodeTimeout " + nodeTimeout;
    }
}
