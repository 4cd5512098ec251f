package io.hasp.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.spi.BackendSource;
import java.net.URI;
import java.util.function.Supplier;

/**
 * Binds one {@link LockClient} as a singleton, connected when it is first asked for (or when the injector is created in
 * {@link com.google.inject.Stage#PRODUCTION}, which fails fast), and {@link HaspShutdown}, which closes it.
 *
 * <pre>{@code
 * Injector injector = Guice.createInjector(HaspModule.connectingTo("redis://127.0.0.1:6379"));
 * LockClient locks = injector.getInstance(LockClient.class);
 * ...
 * injector.getInstance(HaspShutdown.class).close();
 * }</pre>
 *
 * A failure to connect surfaces as Guice's {@link com.google.inject.ProvisionException} (or {@code CreationException}) with
 * Hasp's typed exception as its cause.
 */
public final class HaspModule extends AbstractModule {
    private final Supplier<LockClient> connect;

    private HaspModule(Supplier<LockClient> connect) {
        this.connect = connect;
    }

    /**
     * A client of the service that a URI names, with default options.
     *
     * @param uri as in {@link LockClient#connect(String)}
     * @return a module to install
     */
    public static HaspModule connectingTo(String uri) {
        return new HaspModule(() -> LockClient.connect(uri));
    }

    /**
     * A client of the service that a URI names.
     *
     * @param uri as in {@link LockClient#connect(URI, ClientOptions)}
     * @param options how the client behaves
     * @return a module to install
     */
    public static HaspModule connectingTo(URI uri, ClientOptions options) {
        return new HaspModule(() -> LockClient.connect(uri, options));
    }

    /**
     * A client over a connection that the program has already.
     *
     * @param source as in {@link LockClient#over}
     * @param options how the client behaves
     * @return a module to install
     */
    public static HaspModule over(BackendSource source, ClientOptions options) {
        return new HaspModule(() -> LockClient.over(source, options));
    }

    @Override
    protected void configure() {
        bind(HaspShutdown.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    LockClient client(HaspShutdown shutdown) {
        return shutdown.opened(connect.get());
    }
}
