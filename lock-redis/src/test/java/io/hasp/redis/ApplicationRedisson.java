package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Credentials;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import io.hasp.spi.Tls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SubscriptionMode;

/**
 * An application that makes a Redisson client, locks through it, and shuts it down after the locks. By a URI of {@link RedisConfig} with
 * {@value #SCHEME} before its scheme, so that client processes and the conformance suite can have it as well.
 */
public final class ApplicationRedisson implements LockBackendProvider {
    static final String SCHEME = "app-";

    /** For {@link java.util.ServiceLoader}. */
    public ApplicationRedisson() {}

    @Override
    public Set<String> schemes() {
        return new RedisBackendProvider()
                .schemes().stream().map(scheme -> SCHEME + scheme).collect(Collectors.toSet());
    }

    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        return source(RedisConfig.of(URI.create(uri.toString().substring(SCHEME.length()))));
    }

    static BackendSource source(RedisConfig config) {
        assertThat(config.clientName()).as("what onRedisson does not take").isEmpty();
        BackendSource source = context -> {
            RedissonClient redisson = client(config);
            LockBackend backend = null;
            try {
                backend = shuttingDown(redisson, onRedisson(redisson, config).open(context));
                return backend;
            } finally {
                if (backend == null) {
                    shutDown(redisson);
                }
            }
        };
        return source.declaring(RedisBackend.on(config).declaration().orElseThrow());
    }

    private static BackendSource onRedisson(RedissonClient redisson, RedisConfig config) {
        return RedisBackend.onRedisson(redisson, config.locks());
    }

    /** Not connected yet; few threads, because tests have many such clients. */
    static RedissonClient client(RedisConfig config) {
        return Redisson.create(configuration(config));
    }

    static Config configuration(RedisConfig config) {
        Config redisson = new Config();
        redisson.setLazyInitialization(true).setThreads(2).setNettyThreads(2);
        config.credentials().map(provider -> provider.get()).ifPresent(credentials -> signIn(redisson, credentials));
        config.tls().ifPresent(tls -> encrypt(redisson, tls));
        String scheme = config.tls().isPresent() ? "rediss://" : "redis://";
        int timeout = Math.toIntExact(config.commandTimeout().toMillis());
        if (config.sentinel().isPresent()) {
            SentinelConfig sentinel = config.sentinel().get();
            var sentinels = redisson.useSentinelServers()
                    .setMasterName(sentinel.masterId())
                    .setDatabase(config.database())
                    .setScanInterval(500)
                    .addSentinelAddress(addresses(scheme, sentinel.addresses().stream()));
            few(sentinels, timeout);
        } else if (!config.nodes().isEmpty()) {
            few(redisson.useClusterServers().addNodeAddress(addresses(scheme, config.nodes().stream())), timeout);
        } else {
            String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
            redisson.useSingleServer()
                    .setAddress(scheme + host + ":" + config.port())
                    .setDatabase(config.database())
                    .setConnectionMinimumIdleSize(1)
                    .setTimeout(timeout)
                    .setConnectTimeout(timeout)
                    .setRetryAttempts(1);
        }
        return redisson;
    }

    private static void few(BaseMasterSlaveServersConfig<?> servers, int timeout) {
        servers.setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionMinimumIdleSize(1)
                .setSlaveConnectionMinimumIdleSize(1)
                .setTimeout(timeout)
                .setConnectTimeout(timeout)
                .setRetryAttempts(1);
    }

    private static String[] addresses(String scheme, Stream<String> servers) {
        return servers.map(address -> scheme + address).toArray(String[]::new);
    }

    private static void signIn(Config redisson, Credentials credentials) {
        Optional.of(credentials.user()).filter(user -> !user.isEmpty()).ifPresent(redisson::setUsername);
        redisson.setPassword(credentials.password());
    }

    private static void encrypt(Config redisson, Tls tls) {
        tls.trustStore()
                .map(ApplicationRedisson::url)
                .ifPresent(file -> redisson.setSslTruststore(file).setSslTruststorePassword(tls.trustStorePassword()));
        tls.keyStore()
                .map(ApplicationRedisson::url)
                .ifPresent(file -> redisson.setSslKeystore(file).setSslKeystorePassword(tls.keyStorePassword()));
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static LockBackend shuttingDown(RedissonClient redisson, LockBackend backend) {
        return (LockBackend) Proxy.newProxyInstance(
                LockBackend.class.getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close")) {
                            shutDown(redisson);
                        }
                    }
                });
    }

    /** On a thread of its own, because Redisson's shutdown swallows an interrupt. */
    private static void shutDown(RedissonClient redisson) {
        CompletableFuture.runAsync(
                        () -> redisson.shutdown(0, 2, TimeUnit.SECONDS),
                        task -> new Thread(task, "application-shutdown").start())
                .join();
    }
}
