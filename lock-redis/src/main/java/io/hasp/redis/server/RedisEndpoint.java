package io.hasp.redis.server;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

/**
 * Address and connection settings of one Redis server, for the client libraries. The configuration has checked them.
 *
 * @param provider of credentials, as the configuration has it; empty if the server asks for none
 * @param sentinel the sentinels that know the master's address; empty without sentinels. Host and port have no meaning with sentinels
 * @param tls how to encrypt; empty for plain sockets
 * @param tlsSockets an application's own way to encrypt, through Jedis only; host names are checked all the same
 * @param commandTimeout the time limit for a connection and for one reply
 * @param clientName that the server shows of the connections
 */
public record RedisEndpoint(
        String host,
        int port,
        int database,
        Optional<Supplier<Credentials>> provider,
        Optional<Tls> tls,
        Optional<TlsSockets> tlsSockets,
        Duration commandTimeout,
        Optional<SentinelGroup> sentinel,
        Optional<String> clientName) {
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    /** A near server answers in less time than a sleeping thread takes to wake, which is up to 50 µs on each side. */
    private static final Duration SPIN = Duration.ofNanos(200_000);

    /**
     * The sentinels that know where a master is.
     *
     * @param masterId the name by which they know it
     * @param sentinels each by its address in words
     */
    public record SentinelGroup(String masterId, Map<String, RedisEndpoint> sentinels) {}

    /**
     * An application's sockets for TLS.
     *
     * @param factory makes them
     * @param parameters of each connection, such as its protocols
     * @param verifier checks the host name in place of the usual check
     */
    public record TlsSockets(
            SSLSocketFactory factory, Optional<SSLParameters> parameters, Optional<HostnameVerifier> verifier) {}

    /** Returns the credentials for each new connection, which fail with {@code BackendFailure} if the provider has none. */
    public Optional<Supplier<Credentials>> credentials() {
        return provider.map(asked -> () -> Credentials.from(asked, server()));
    }

    /** The time for which a thread polls for a reply before it sleeps. Zero with TLS, because an encrypted reply can't be polled for. */
    public Duration spin() {
        return tls.isPresent() ? Duration.ZERO : SPIN;
    }

    /** The server in words, without credentials. */
    public String server() {
        String path = database == 0 ? "" : "/" + database;
        String scheme = tls.isPresent() ? "rediss" : "redis";
        return sentinel.map(knows -> scheme + "-sentinel://"
                        + String.join(",", knows.sentinels().keySet()) + path + "?sentinelMasterId="
                        + knows.masterId())
                .orElseGet(() -> scheme + "://" + address() + path);
    }

    /** Host and port. */
    public String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Returns this endpoint at a fixed address. */
    public RedisEndpoint at(String host, int port) {
        return new RedisEndpoint(
                host, port, database, provider, tls, tlsSockets, commandTimeout, Optional.empty(), clientName);
    }

    /** Returns this endpoint as one of several sentinels, which are asked one after the other within one command timeout. */
    public RedisEndpoint asSentinel(Optional<Supplier<Credentials>> provider, int sentinels) {
        Duration share = commandTimeout.dividedBy(sentinels);
        return new RedisEndpoint(
                host,
                port,
                0,
                provider,
                tls,
                tlsSockets,
                share.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : share,
                Optional.empty(),
                Optional.empty());
    }

    /** Omits the passwords. */
    @Override
    public String toString() {
        return server();
    }
}
