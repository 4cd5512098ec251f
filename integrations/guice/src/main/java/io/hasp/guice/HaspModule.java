package io.hasp.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binding;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.name.Names;
import io.hasp.ClientOptions;
import io.hasp.ElectionOptions;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.locked.Locked;
import io.hasp.spi.BackendSource;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Binds one {@link LockClient}, the {@link HaspShutdown} that closes it, and everything that {@link Locked} methods
 * need. Nothing else is visible to the rest of the injector. For several clients, install the module several times,
 * each with its own {@link #named} annotation.
 *
 * <pre>{@code
 * Injector injector = Guice.createInjector(
 *         HaspModule.connectingTo("redis://127.0.0.1:6379"),
 *         HaspModule.connectingTo("zookeeper://127.0.0.1:2181").named("ledger"));
 * ...
 * injector.getInstance(HaspShutdown.class).close();
 * }</pre>
 *
 * <p>Every client notifies the {@link LockListener}s bound with
 * {@code Multibinder.newSetBinder(binder(), LockListener.class)}, for example for metrics, and the listeners of its own
 * options.
 *
 * <p>The client connects on first use. In {@link Stage#PRODUCTION} it connects when the injector is created, as
 * singletons do. {@link #eagerly} and {@link #lazily} override that. A failure to connect is Guice's
 * {@link com.google.inject.ProvisionException} (or {@code CreationException}) with Hasp's typed exception as its cause.
 * A lazy client retries on its next use. Immutable, so one module may serve several injectors.
 */
public final class HaspModule extends AbstractModule {
    private final Function<UnaryOperator<ClientOptions>, LockClient> connect;
    private final Key<LockClient> key;
    private final Opening opening;
    private final Map<String, ElectionOptions> elections;

    private HaspModule(
            Function<UnaryOperator<ClientOptions>, LockClient> connect,
            Key<LockClient> key,
            Opening opening,
            Map<String, ElectionOptions> elections) {
        this.connect = connect;
        this.key = key;
        this.opening = opening;
        this.elections = Map.copyOf(elections);
    }

    private static HaspModule by(Function<UnaryOperator<ClientOptions>, LockClient> connect) {
        return new HaspModule(connect, Key.get(LockClient.class), Opening.AS_THE_STAGE_SAYS, Map.of());
    }

    /**
     * Binds a client of the service in the environment variable {@code HASP_URI}.
     *
     * @param options as in {@link LockClient#connect(ClientOptions)}
     * @return a module to install
     */
    public static HaspModule connecting(ClientOptions options) {
        return by(listened -> LockClient.connect(listened.apply(options)));
    }

    /**
     * Binds a client of the service that a URI names, with default options.
     *
     * @param uri as in {@link LockClient#connect(String)}
     * @return a module to install
     */
    public static HaspModule connectingTo(String uri) {
        return by(listened -> connect(uri, listened));
    }

    private static LockClient connect(String uri, UnaryOperator<ClientOptions> listened) {
        return LockClient.connect(uri, listened.apply(ClientOptions.defaults()));
    }

    /**
     * Binds a client of the service that a URI names.
     *
     * @param uri as in {@link LockClient#connect(URI, ClientOptions)}
     * @param options the client's options
     * @return a module to install
     */
    public static HaspModule connectingTo(URI uri, ClientOptions options) {
        return by(listened -> LockClient.connect(uri, listened.apply(options)));
    }

    /**
     * Binds a client over a config record or an existing connection of the program.
     *
     * @param source as in {@link LockClient#over}
     * @param options the client's options
     * @return a module to install
     */
    public static HaspModule over(BackendSource source, ClientOptions options) {
        return by(listened -> LockClient.over(source, listened.apply(options)));
    }

    /**
     * Binds the client as {@code @Named("…") LockClient}, and not without the name.
     *
     * @param name not empty
     * @return a module to install
     * @throws IllegalArgumentException if the name is empty
     */
    public HaspModule named(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the client's name is empty: a client without a name needs no named()");
        }
        return new HaspModule(connect, Key.get(LockClient.class, Names.named(name)), opening, elections);
    }

    /**
     * Binds a candidate of this client as {@code @Named("…") LeaderElection}, with the name of the election. Joins nothing: the program calls
     * {@link LeaderElection#run} or {@link LeaderElection#join}. {@link HaspShutdown#close} ends the candidate with its client.
     *
     * @param election the name of the election
     * @param options the options of the candidate
     * @return a module to install; it may have several elections
     */
    public HaspModule electing(String election, ElectionOptions options) {
        Map<String, ElectionOptions> all = new HashMap<>(elections);
        all.put(election, options);
        return new HaspModule(connect, key, opening, all);
    }

    /**
     * Binds a candidate with default options; see {@link #electing(String, ElectionOptions)}.
     *
     * @param election the name of the election
     * @return a module to install; it may have several elections
     */
    public HaspModule electing(String election) {
        return electing(election, ElectionOptions.defaults());
    }

    /**
     * Connects the client when the injector is created. If that fails, the clients that were opened before it are
     * closed.
     *
     * @return a module to install
     */
    public HaspModule eagerly() {
        return new HaspModule(connect, key, Opening.EAGERLY, elections);
    }

    /**
     * Connects the client on first use, in every stage: on an injection of {@code LockClient}, on its provider's
     * {@code get}, or on the first call of a {@link Locked} method.
     *
     * @return a module to install
     */
    public HaspModule lazily() {
        return new HaspModule(connect, key, Opening.LAZILY, elections);
    }

    @Override
    protected void configure() {
        bind(HaspShutdown.class).in(Singleton.class);
        install(new LockedModule());
        boolean eagerly = switch (opening) {
            case EAGERLY -> true;
            case LAZILY -> false;
            case AS_THE_STAGE_SAYS -> binder().currentStage() == Stage.PRODUCTION;
        };
        Provider<Injector> injector = getProvider(Injector.class);
        Supplier<LockClient> connecting = () -> connect.apply(options -> listened(injector.get(), options));
        install(new ClientModule(key, new Connection(connecting, getProvider(HaspShutdown.class), eagerly), eagerly));
        Provider<LockClient> client = getProvider(key);
        elections.forEach((name, options) -> bind(Key.get(LeaderElection.class, Names.named(name)))
                .toProvider(new Candidacy(client, name, options)));
    }

    /** A set binding in this module would be visible to the rest of the injector. */
    private static ClientOptions listened(Injector injector, ClientOptions options) {
        Binding<Set<LockListener>> bound =
                injector.getExistingBinding(Key.get(new TypeLiteral<Set<LockListener>>() {}));
        ClientOptions all = options;
        for (LockListener listener :
                bound == null ? Set.<LockListener>of() : bound.getProvider().get()) {
            all = all.addListener(listener);
        }
        return all;
    }

    private enum Opening {
        AS_THE_STAGE_SAYS,
        EAGERLY,
        LAZILY
    }
}
