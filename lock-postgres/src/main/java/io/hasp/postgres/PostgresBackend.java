package io.hasp.postgres;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Locks in a PostgreSQL database. Thread-safe.
 *
 * <p>Locks are rows. Clients queue in the database, first come, first served; a release grants the lock directly to the first live waiter and
 * notifies that one client. A grant ends with its lease, by the server's clock. Tokens are {@code max(stored + 1, server clock in µs)}.
 *
 * <p>Not guaranteed: a grant survives a crash of the server only if its settings {@code fsync} and {@code synchronous_commit} are on, and a
 * failover only to a replica that commits wait for; {@link #capabilities} declares both as the server's settings are at connect. Protect what
 * must not break with the fencing token, or with {@link PostgresFence} in the same database.
 */
public final class PostgresBackend implements LockBackend {
    private final Database database;
    private final Requests requests;
    private final BlockingCalls blocking;
    private final LockCalls calls;
    private final Capabilities capabilities;
    private final PostgresInspector inspector;
    private final BackendContext context;
    private final Optional<Listener> listener;

    private PostgresBackend(Database database, PostgresLocks locks, BackendContext context) {
        this.database = database;
        this.context = context;
        Schema schema = new Schema(locks);
        this.calls = new LockCalls(database, schema);
        this.blocking = new BlockingCalls(context.executor());
        this.inspector = new PostgresInspector(database, schema, blocking);
        ClientHolders holders = new ClientHolders();
        String channel = Channel.of(locks, context.clientId());
        this.listener = locks.listens()
                ? Optional.of(
                        new Listener(database, channel, text -> received(text, holders), holders::messagesMayBeMissing))
                : Optional.empty();
        this.requests = new Requests(
                calls,
                holders,
                new Cleaning(calls, context.executor()),
                context.executor(),
                () -> listener.map(Listener::live).orElse(false) ? channel : "");
        // The listener first: its connection leaves the pool, so the checks open the one that the first request uses.
        listener.ifPresent(Listener::start);
        try {
            schema.ensure(database);
            this.capabilities = ServerPromise.capabilities(database, locks);
        } catch (RuntimeException | Error e) {
            listener.ifPresent(Listener::close);
            throw e;
        }
    }

    /**
     * Creates a backend for {@code LockClient.over}, with connections of its own.
     *
     * @param config the address and the settings
     * @return opens the backend; fails with {@link BackendFailure} if the server can't be reached or refuses, or has no tables of Hasp
     */
    public static BackendSource on(PostgresConfig config) {
        return source(config.locks(), () -> Database.connect(config));
    }

    /**
     * Creates a backend for {@code LockClient.over}, on the database of an application's data source.
     *
     * <p>A pool of HikariCP lends its address and its credentials only. The locks never wait for a connection of the application's pool:
     * a transaction that waits for a lock would keep the connection that the lock needs. Any other data source is asked for each of the
     * locks' connections, and must not limit them.
     *
     * @param source stays open when the lock client is closed
     * @param locks the settings
     * @return opens the backend; fails as {@link #on(PostgresConfig)}
     */
    public static BackendSource on(DataSource source, PostgresLocks locks) {
        return source(locks, () -> Database.like(source, locks));
    }

    private static BackendSource source(PostgresLocks locks, Supplier<Database> connect) {
        BackendSource source = context -> {
            Database database = connect.get();
            try {
                return new PostgresBackend(database, locks, context);
            } catch (RuntimeException | Error e) {
                database.close();
                throw e;
            }
        };
        return source.declaring(new BackendDeclaration(ServerPromise.least(locks), true, locks.commandTimeout()));
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        long sentAt = context.timing().nanoTime();
        Optional<Attempt.Granted> direct = requests.directGrant(claim, signals, sentAt);
        return direct.isPresent()
                ? CompletableFuture.completedStage(direct.get())
                : blocking.run(() -> requests.acquire(claim, signals, sentAt));
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        if (requests.mayStillArrive(from.claim())) {
            return LockBackend.super.transfer(from, to, signals);
        }
        long sentAt = context.timing().nanoTime();
        CompletionStage<Transfer> both = blocking.run(() -> requests.transfer(from.claim(), to, signals, sentAt));
        return new Transfer(both.thenCompose(Transfer::released), both.thenCompose(Transfer::attempt));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return blocking.run(() -> requests.renew(held));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return blocking.run(() -> requests.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return blocking.run(() -> requests.retain(claim));
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of(new ServerTokenFloor(calls, blocking, context.timing(), database.timeout()));
    }

    @Override
    public Optional<Inspector> inspector() {
        return Optional.of(inspector);
    }

    private void received(String text, ClientHolders holders) {
        Message.parse(text).filter(message -> !holders.receive(message)).ifPresent(late -> {
            if (late.token() != 0) {
                requests.giveBackLater(new LockName(late.lock()), late.holder());
            }
        });
    }

    @Override
    public void close() {
        listener.ifPresent(Listener::close);
        database.close();
    }
}
