package io.hasp.redis.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where one Redis server is and how to connect to it, for the client libraries. It was checked by the configuration that it
 * comes from.
 *
 * @param commandTimeout how long to connect and to wait for one reply
 * @param spin how long a thread looks for a reply before it sleeps
 */
public record RedisEndpoint(
        String host,
        int port,
        int database,
        Optional<String> user,
        Optional<String> password,
        boolean tls,
        Optional<Path> trustStore,
        Optional<String> trustStorePassword,
        Optional<Path> keyStore,
        Optional<String> keyStorePassword,
        Duration commandTimeout,
        Duration spin) {

    /** The server in words, without credentials. */
    public String server() {
        return (tls ? "rediss://" : "redis://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port
                + (database == 0 ? "" : "/" + database);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return server();
    }
}
