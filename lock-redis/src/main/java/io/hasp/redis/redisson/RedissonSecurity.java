package io.hasp.redis.redisson;

import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Credentials;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.redisson.client.RedisClientConfig;
import org.redisson.config.Config;
import org.redisson.config.CredentialsResolver;
import org.redisson.config.SingleServerConfig;

/**
 * User, password and stores of keys. Redisson 4 has them in the configuration itself, and logs a warning for each that is set in the
 * configuration of a server, which is the only place in Redisson 3.
 */
final class RedissonSecurity {
    private RedissonSecurity() {}

    @SuppressWarnings("deprecation")
    static void configure(Config config, SingleServerConfig redisson3, RedisEndpoint endpoint) {
        endpoint.clientName().ifPresent(redisson3::setClientName);
        set(
                config,
                "setCredentialsResolver",
                CredentialsResolver.class,
                endpoint.credentials().map(RedissonSecurity::resolver),
                redisson3::setCredentialsResolver);
        set(
                config,
                "setSslTruststore",
                URL.class,
                endpoint.trustStore().map(RedissonSecurity::url),
                redisson3::setSslTruststore);
        set(
                config,
                "setSslTruststorePassword",
                String.class,
                endpoint.trustStorePassword(),
                redisson3::setSslTruststorePassword);
        set(
                config,
                "setSslKeystore",
                URL.class,
                endpoint.keyStore().map(RedissonSecurity::url),
                redisson3::setSslKeystore);
        set(
                config,
                "setSslKeystorePassword",
                String.class,
                endpoint.keyStorePassword(),
                redisson3::setSslKeystorePassword);
    }

    /** The same for sockets. */
    static void configure(RedisClientConfig socket, RedisEndpoint endpoint) {
        endpoint.clientName().ifPresent(socket::setClientName);
        endpoint.credentials().map(RedissonSecurity::resolver).ifPresent(socket::setCredentialsResolver);
        endpoint.trustStore().map(RedissonSecurity::url).ifPresent(socket::setSslTruststore);
        endpoint.trustStorePassword().ifPresent(socket::setSslTruststorePassword);
        endpoint.keyStore().map(RedissonSecurity::url).ifPresent(socket::setSslKeystore);
        endpoint.keyStorePassword().ifPresent(socket::setSslKeystorePassword);
    }

    /** Redisson asks it for each new connection. */
    private static CredentialsResolver resolver(Supplier<Credentials> provider) {
        return address -> {
            try {
                Credentials present = provider.get();
                return CompletableFuture.completedFuture(new org.redisson.config.Credentials(
                        present.user().isEmpty() ? null : present.user(), present.password()));
            } catch (BackendFailure e) {
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    private static <T> void set(
            Config config, String setter, Class<T> type, Optional<T> option, Consumer<T> redisson3) {
        option.ifPresent(value -> {
            try {
                Config.class.getMethod(setter, type).invoke(config, value);
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
