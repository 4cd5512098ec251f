package io.hasp.spring.connection;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.HaspProperties.Connection;
import io.hasp.spring.ListenerOfEach;
import io.hasp.spring.actuator.WithoutHealthChecks;
import io.hasp.spring.locked.TransactionFences;
import io.hasp.spring.locked.UnitsOfTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Opens the clients in the properties, and logs the connection of each in one line. */
public final class ClientOpener {
    private static final Log LOG = LogFactory.getLog("io.hasp.spring");
    /**
     * Set by {@code AutoConfigureTestLocks}: the application's properties do not apply to its tests. Strict binding
     * allows no other name in hasp.*.
     */
    public static final String IN_TESTS = "hasp-tests.enabled";

    private static final int LONGEST_LABEL = 128;
    private static final String FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";
    private static final String EXAMPLES = "redis://127.0.0.1:6379 or zookeeper://127.0.0.1:2181";

    private final HaspProperties properties;
    private final List<ConnectionSource> sources;
    private final List<LockListener> listeners;
    private final List<ListenerOfEach> listenersOfEach;
    private final TransactionFences fences;
    private final ConfigurableListableBeanFactory beans;
    private final Duration phase;
    private final boolean inTests;
    /** Empty if the application has no name. */
    private final String application;

    public ClientOpener(
            HaspProperties properties,
            List<ConnectionSource> sources,
            List<LockListener> listeners,
            List<ListenerOfEach> listenersOfEach,
            TransactionFences fences,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        UnitsOfTime.require(environment);
        this.properties = properties;
        this.sources = sources;
        this.listeners = listeners;
        this.listenersOfEach = listenersOfEach;
        this.fences = fences;
        this.beans = beans;
        this.inTests = environment.getProperty(IN_TESTS, Boolean.class, false);
        this.application = environment.getProperty("spring.application.name", "");
        this.phase = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(ClientOptions.defaults().closeWithin());
    }

    /** Opens the client without a name; the argument is its bean's name. */
    public LockClient unnamed(String bean) {
        String uri = properties.uri();
        if (uri == null || uri.isEmpty()) {
            return onConnection(bean);
        }
        refuseBeside("key-prefix", "keyPrefix", properties.keyPrefix());
        refuseBeside("command-timeout", "commandTimeout", properties.commandTimeout());
        refuseBeside("acknowledge", "acknowledge", properties.acknowledge());
        refuseBeside("acknowledge-within", "acknowledgeWithin", properties.acknowledgeWithin());
        refuseBeside("connection", null, properties.connection());
        refuseBeside("postgres.*", null, properties.postgres().isSet() ? properties.postgres() : null);
        new BeansByType(beans).credentials().ifPresent(this::refuseCredentials);
        return connect(bean, "hasp.uri", uri);
    }

    private void refuseCredentials(BeansByType.Named<?> credentials) {
        if (!inTests) {
            throw new HaspConfigurationException(
                    "the bean '" + credentials.name()
                            + "' gives credentials for the application's own connection, and hasp.uri is" + " set, too",
                    "Remove hasp.uri, or make a LockClient bean of RedisConfig.of(uri).credentials(provider).",
                    null);
        }
    }

    private void refuseBeside(String property, @Nullable String parameter, @Nullable Object value) {
        if (value != null && !inTests) {
            throw new HaspConfigurationException(
                    "hasp." + property + " is for the application's own connection, and hasp.uri is set, too",
                    parameter == null
                            ? "Remove one of them."
                            : "Write it into hasp.uri, as the parameter " + parameter + ".",
                    null);
        }
    }

    /** Opens a client with a name; the second argument is its bean's name. */
    public LockClient named(String name, String bean) {
        HaspProperties.Client client = properties.clients().get(name);
        String property = "hasp.clients." + name + ".uri";
        if (client == null || client.uri() == null || client.uri().isEmpty()) {
            throw new HaspConfigurationException(
                    property + " is not set", "Set it, such as to " + EXAMPLES + ".", null);
        }
        return connect(bean, property, client.uri());
    }

    private LockClient connect(String bean, String property, String text) {
        if (text.startsWith("postgres")) {
            DatabaseInitializers.complete(beans);
        }
        LockClient client = attempt(property, () -> LockClient.connect(text, options(bean)));
        LOG.info("Locks at " + withoutCredentials(text) + ", as " + property + " says");
        return client;
    }

    private static String withoutCredentials(String uri) {
        return uri.replaceFirst("\\?.*", "").replaceFirst("//.*@", "//");
    }

    private LockClient onConnection(String bean) {
        FoundConnection found = connection();
        found.beans().forEach(needed -> beans.registerDependentBean(needed, bean));
        LockClient client =
                attempt("the connection to " + found.words(), () -> LockClient.over(found.backend(), options(bean)));
        found.fence().ifPresent(fence -> fences.add(client, fence));
        LOG.info("Locks at " + found.words());
        return client;
    }

    private FoundConnection connection() {
        Connection wanted = properties.connection();
        if (wanted == Connection.DATASOURCE) {
            return find(wanted).orElseThrow(() -> none(wanted));
        }
        List<Connection> kinds = new ArrayList<>();
        List<FoundConnection> all = new ArrayList<>();
        for (Connection kind : Connection.values()) {
            if (kind != Connection.DATASOURCE && (wanted == null || wanted == kind)) {
                find(kind).ifPresent(found -> {
                    kinds.add(kind);
                    all.add(found);
                });
            }
        }
        if (all.isEmpty()) {
            refuseUnknownFactory();
            // Almost each application has a database: it is no choice beside another service.
            return (wanted == null ? find(Connection.DATASOURCE) : Optional.<FoundConnection>empty())
                    .orElseThrow(() -> none(wanted));
        }
        if (kinds.contains(Connection.CURATOR) && kinds.size() > 1) {
            throw new HaspConfigurationException(
                    "hasp.uri is not set, and the application has connections to several services: "
                            + kinds.stream().map(ClientOpener::word).toList(),
                    "Set hasp.connection to one of them, or hasp.uri.",
                    null);
        }
        return all.get(0);
    }

    private static HaspConfigurationException none(@Nullable Connection wanted) {
        return new HaspConfigurationException(
                wanted == null
                        ? "hasp.uri is not set, and the application has no connection for the locks"
                        : "hasp.connection is " + word(wanted) + ", and the application has no such connection",
                "Set hasp.uri, such as to " + EXAMPLES
                        + "; or add a RedisConnectionFactory (spring-boot-starter-data-redis), a RedissonClient, a"
                        + " CuratorFramework or a DataSource, with the artifact lock-redis, lock-zookeeper or lock-postgres.",
                null);
    }

    /** Checked by the name of its type, which may not be on the class path. */
    private void refuseUnknownFactory() {
        ClassLoader loader = beans.getBeanClassLoader();
        if (!ClassUtils.isPresent(FACTORY, loader)) {
            return;
        }
        for (String name : beans.getBeanNamesForType(ClassUtils.resolveClassName(FACTORY, loader))) {
            throw new HaspConfigurationException(
                    "hasp.uri is not set, and the RedisConnectionFactory '" + name + "' is a "
                            + beans.getBean(name).getClass().getSimpleName()
                            + ", which Hasp can't follow to its server: it knows LettuceConnectionFactory and"
                            + " JedisConnectionFactory",
                    "Set hasp.uri=redis://... to the server, or the master, that is to have the locks.",
                    null);
        }
    }

    private Optional<FoundConnection> find(Connection kind) {
        List<ConnectionSource> fitting =
                sources.stream().filter(source -> source.kind() == kind).toList();
        if (kind != Connection.CURATOR && kind != Connection.DATASOURCE && !fitting.isEmpty()) {
            RedisSettings.requireValid(properties);
        }
        return fitting.stream().flatMap(source -> source.find().stream()).findFirst();
    }

    private static String word(Connection kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The options of a client that this application opens; the argument is its bean's name. */
    public ClientOptions options(String bean) {
        ClientOptions options;
        try {
            options = properties.options();
            if (properties.label() == null && !application.isBlank()) {
                options = options.label(named(options.label()));
            }
            if (properties.closeWithin() == null) {
                // Spring does not wait in this case.
                options = options.closeWithin(phase.isNegative() ? Duration.ZERO : phase);
            }
        } catch (InvalidArgumentException e) {
            throw HaspConfigurationException.ofProperty(e);
        }
        for (LockListener listener : listeners) {
            options = options.addListener(new WithoutHealthChecks(listener));
        }
        for (ListenerOfEach each : listenersOfEach) {
            options = options.addListener(new WithoutHealthChecks(each.of(bean)));
        }
        return options;
    }

    /** Names the application and the process, in the characters and the length that a label may have. */
    private String named(String process) {
        String whole = application.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?") + "@" + process;
        return whole.length() <= LONGEST_LABEL ? whole : process;
    }

    private static LockClient attempt(String what, Supplier<LockClient> connecting) {
        try {
            return connecting.get();
        } catch (BackendException e) {
            throw new HaspConfigurationException(what + ": " + e.getMessage(), action(e.kind()), e);
        } catch (InvalidArgumentException | UnsupportedCapabilityException e) {
            throw new HaspConfigurationException(what + ": " + e.getMessage(), "Correct it.", e);
        }
    }

    private static String action(BackendException.Kind kind) {
        return switch (kind) {
            case UNAVAILABLE -> "Start the service, or correct where it is looked for.";
            case DENIED -> "Correct the user, the password, or what they permit.";
            case OTHER_KIND, INCOMPATIBLE -> "Correct it.";
        };
    }
}
