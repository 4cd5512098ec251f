package io.hasp.redis.redisson;

import io.hasp.redis.server.RedisEndpoint;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.redisson.client.RedisClientConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/**
 * User, password and stores of keys. Redisson 4 has them in the configuration itself, and logs a warning for each that is set in the
 * configuration of a server, which is the only place in Redisson 3.
 */
final class RedissonSecurity {
    private RedissonSecurity() {}

    @SuppressWarnings("deprecation")
    static void configure(Config config, SingleServerConfig redisson3, RedisEndpoint endpoint) {
        set(config, "setUsername", endpoint.user(), redisson3::setUsername);
        set(config, "setPassword", endpoint.password(), redisson3::setPassword);
        set(config, "setSslTruststore", endpoint.trustStore().map(RedissonSecurity::url), redisson3::setSslTruststore);
        set(config, "setSslTruststorePassword", endpoint.trustStorePassword(), redisson3::setSslTruststorePassword);
        set(config, "setSslKeystore", endpoint.keyStore().map(RedissonSecurity::url), redisson3::setSslKeystore);
        set(config, "setSslKeystorePassword", endpoint.keyStorePassword(), redisson3::setSslKeystorePassword);
    }

    /** The same for sockets. */
    static void configure(RedisClientConfig socket, RedisEndpoint endpoint) {
        endpoint.user().ifPresent(socket::setUsername);
        endpoint.password().ifPresent(socket::setPassword);
        endpoint.trustStore().map(RedissonSecurity::url).ifPresent(socket::setSslTruststore);
        endpoint.trustStorePassword().ifPresent(socket::setSslTruststorePassword);
        endpoint.keyStore().map(RedissonSecurity::url).ifPresent(socket::setSslKeystore);
        endpoint.keyStorePassword().ifPresent(socket::setSslKeystorePassword);
    }

    private static <T> void set(Config config, String setter, Optional<T> option, Consumer<T> redisson3) {
        option.ifPresent(value -> {
            try {
                Config.class.getMethod(setter, value.getClass()).invoke(config, value);
            } catch (NoSuchMethodException e) {
                redisson3.accept(value);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("Redisson's Config." + setter, e);
            }
        });
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(file + " is not a file of this machine", e);
        }
    }
}
