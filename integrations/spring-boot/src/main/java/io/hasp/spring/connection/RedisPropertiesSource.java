package io.hasp.spring.connection;

import io.hasp.redis.RedisBackend;
import io.hasp.redis.RedisConfig;
import io.hasp.spi.Tls;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties.Connection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.Environment;

/** The server of Boot's {@code spring.data.redis} properties, if Spring Data Redis is absent. */
final class RedisPropertiesSource implements ConnectionSource {
    private static final String PREFIX = "spring.data.redis.";
    private static final List<String> NOT_SUPPORTED = List.of(
            "sentinel.master",
            "cluster.nodes",
            "cluster.nodes[0]",
            "masterreplica.nodes",
            "masterreplica.nodes[0]",
            "ssl.bundle");

    private final Environment environment;
    private final RedisSettings settings;

    RedisPropertiesSource(Environment environment, RedisSettings settings) {
        this.environment = environment;
        this.settings = settings;
    }

    @Override
    public Connection kind() {
        return Connection.PROPERTIES;
    }

    @Override
    public Optional<FoundConnection> find() {
        for (String name : NOT_SUPPORTED) {
            if (environment.containsProperty(PREFIX + name)) {
                throw new HaspConfigurationException(
                        PREFIX + name + " is set, which Hasp does not support without Spring Data Redis, or at all",
                        "Set hasp.uri.",
                        null);
            }
        }
        Optional<String> url = text("url");
        if (url.isEmpty() && text("host").isEmpty()) {
            return Optional.empty();
        }
        RedisConfig found = url.map(this::byUrl).orElseGet(this::byHost);
        RedisConfig config = text("client-name").map(found::clientName).orElse(found);
        String words = RedisSettings.words(config.tls().isPresent(), config.host(), config.port(), config.database());
        return Optional.of(new FoundConnection(
                words + ", as the " + PREFIX + "* properties say", RedisBackend.on(config), settings.needed()));
    }

    private RedisConfig byUrl(String url) {
        try {
            RedisConfig config = RedisConfig.of(URI.create(url));
            return rotated(config).commandTimeout(timeout()).locks(settings.locks());
        } catch (IllegalArgumentException e) {
            // The message of the cause may contain the password.
            throw new HaspConfigurationException(
                    PREFIX + "url is no URL such as redis://user:password@host:6379/0",
                    "Percent-encode special characters of its user and password, such as %23 for #; or set hasp.uri.",
                    null);
        }
    }

    /** A URL's own credentials are fixed. */
    private RedisConfig rotated(RedisConfig config) {
        return settings.rotating().isEmpty()
                ? config
                : settings.signedIn(config, () -> RedisSettings.credentials(null, null));
    }

    private RedisConfig byHost() {
        int port = text("port").map(Integer::valueOf).orElse(6379);
        int database = text("database").map(Integer::valueOf).orElse(0);
        RedisConfig server = RedisConfig.of(text("host").orElseThrow(), port);
        RedisConfig config = settings.signedIn(
                settings.complete(server, database, timeout()),
                () -> RedisSettings.credentials(
                        text("username").orElse(""), text("password").orElse("")));
        boolean tls = text("ssl.enabled").map(Boolean::valueOf).orElse(false);
        return tls ? config.tls(Tls.defaults()) : config;
    }

    private Duration timeout() {
        Duration given = text("timeout")
                .map(text -> ApplicationConversionService.getSharedInstance().convert(text, Duration.class))
                .orElse(Duration.ZERO);
        return settings.timeout(given, Duration.ZERO);
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(environment.getProperty(PREFIX + name)).filter(text -> !text.isEmpty());
    }
}
