package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;
import io.hasp.redis.cluster.Address;
import io.hasp.redis.cluster.ClusterConnection;
import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.inspect.RedisInspector;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.lettuce.LettuceNodes;
import io.hasp.redis.redisson.RedissonMaster;
import io.hasp.redis.redisson.RedissonNodes;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.hasp.redis.server.RedisEndpoint.TlsSockets;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.redis.server.ServerReleases;
import io.hasp.redis.server.ServerRenewals;
import io.hasp.redis.server.ServerTokenFloor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.RequestCombiner;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.spi.Tls;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.redisson.api.RedissonClient;

/**
 * Locks on one Redis server, on the master that sentinels name, or on the masters of a cluster. Thread-safe.
 *
 * <p>Clients queue on the server, first come, first served; a release grants the lock directly to the first live waiter and
 * wakes that one client; a release of a shared lock grants it to all waiters at the front that fit. A grant ends with its lease. Tokens
 * are {@code max(stored + 1, server clock in µs)}. They grow even after the server has lost its data, unless its clock was set back as
 * well.
 *
 * <p>The methods for an application's client have different names. A program that is compiled without one of these libraries can't choose
 * between overloads if one overload names a class of that library.
 *
 * <p>Not guaranteed: a grant does not survive a server that restarts without its data, nor a failover to a replica that had
 * not received it, nor its eviction, if that was {@linkplain Eviction accepted}; then two holders may exist, with tokens in
 * order. Protect what must not break with the fencing token.
 */
public final class RedisBackend implements LockBackend {
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE)
            .sharing()
            .recalling()
            .retaining()
            .inspecting();

    private final RedisConnection connection;
    private final AcquireRequests requests;
    private final ServerRenewals renewals;
    private final ServerReleases releases;
    private final ServerTokenFloor tokenFloor;
    private final Inspector inspector;
    private final Capabilities capabilities;
    private final Set<String> replicationIds;
    private final Timing timing;

    private final HolderRegistry holders = new HolderRegistry();
    private final Optional<AcknowledgedGrants> acknowledged;

    private RedisBackend(CheckedConnection checked, BackendContext context) {
        ScriptRunner scripts = checked.scripts();
        LockKeys keys = checked.keys();
        this.connection = checked.connection();
        this.replicationIds = checked.check().replicationIds();
        this.renewals = new ServerRenewals(
                connection, scripts, keys, holders, context.timing(), connection.renewing(context.executor()));
        this.releases = new ServerReleases(connection, scripts, keys, holders);
        this.tokenFloor = new ServerTokenFloor(connection, scripts, keys, context.timing(), context.executor());
        this.inspector = new RedisInspector(connection, scripts, keys, releases, context.timing());
        this.acknowledged = checked.acknowledgement()
                .map(wanted -> new AcknowledgedGrants(wanted, connection, keys, releases, context.executor()));
        this.timing = context.timing();
        Subscription subscription = new ChannelMessages(holders, releases, context.executor())
                .subscribe(connection, checked.channel(), checked.check());
        this.requests = new AcquireRequests(checked, holders, releases, subscription);
        Capabilities known = checked.check().mayEvict() ? CAPABILITIES.evicting() : CAPABILITIES;
        this.capabilities = subscription == ChannelMessages.NONE ? known.polling() : known;
        connection.onOtherServer(locks -> holders.otherServer(name -> locks.test(keys.lock(name))));
    }

    /**
     * Creates a backend for {@code LockClient.over}, with connections of its own.
     *
     * @param config the address and the settings of the server
     * @return opens the backend; fails with {@link BackendFailure} if the server can't be reached, refuses, or may evict
     *     locks although the configuration does not accept that, and with {@link IllegalArgumentException} if the client library that the
     *     configuration names is missing
     */
    public static BackendSource on(RedisConfig config) {
        return on(config, config.connection(), Optional.empty());
    }

    /**
     * Creates a backend as {@link #on(RedisConfig)} does, through Jedis, with the TLS sockets of an application whose certificates are in
     * no file.
     *
     * @param config the address and the settings of the server; its TLS settings and its choice of a library are ignored
     * @param sockets makes the encrypted sockets
     * @param parameters of each connection, such as its protocols; empty for the sockets' own
     * @param verifier checks the name of the server; empty for the usual check against its certificate
     * @return opens the backend; fails as {@link #on(RedisConfig)}
     */
    public static BackendSource onJedis(
            RedisConfig config,
            SSLSocketFactory sockets,
            Optional<SSLParameters> parameters,
            Optional<HostnameVerifier> verifier) {
        return on(
                config.tls(Tls.defaults()),
                Optional.of(Library.JEDIS),
                Optional.of(new TlsSockets(sockets, parameters, verifier)));
    }

    private static BackendDeclaration declaration(Duration commandTimeout, RedisLocks locks) {
        Capabilities least = CAPABILITIES.evicting();
        return new BackendDeclaration(locks.polls() ? least.polling() : least, true, commandTimeout);
    }

    private static BackendSource on(RedisConfig config, Optional<Library> wanted, Optional<TlsSockets> sockets) {
        BackendSource source = context -> {
            Library library = wanted.orElseGet(config::library);
            try {
                return open(RedisConnections.open(library, config, sockets, context), config.locks(), context);
            } catch (ErrorReplyException | BackendFailure e) {
                throw RedisFailures.atConnect(config.server(), e);
            } catch (LinkageError e) {
                throw config.library().missing(e);
            }
        };
        return source.declaring(declaration(config.commandTimeout(), config.locks()));
    }

    /**
     * Creates a backend as {@link #onRedisson(RedissonClient, RedisLocks)} does, with {@link RedisLocks#defaults()}.
     *
     * @param redisson the client; it stays open when the backend is closed
     * @return opens the backend
     */
    public static BackendSource onRedisson(RedissonClient redisson) {
        return onRedisson(redisson, RedisLocks.defaults());
    }

    /**
     * Creates a backend for {@code LockClient.over}, on a Redisson client that the application already runs. The command timeout is the
     * timeout in the configuration of the client.
     *
     * <p>For a single server, Sentinel, a master with replicas or replicated servers, with {@code subscriptionMode} MASTER: the server
     * that runs a script counts only its own subscribers, and would pass over waiters that subscribed at another server. Also for a
     * cluster.
     *
     * <p>Calls use sockets outside of the client's pool, because the pool keeps sockets in use that got no answer. The sockets are
     * connected with the client's configuration. They lead to its present master, send nothing twice, and end with the client.
     *
     * @param redisson the client; it stays open when the backend is closed
     * @param locks the settings of the locks; an acknowledgement may wait for half of the client's {@code timeout}
     * @return opens the backend; fails as {@link #on(RedisConfig)}, and with {@link IllegalArgumentException} if the client is
     *     configured to subscribe at replicas of one master, or has a {@code NameMapper}, or if its timeout is too small
     */
    public static BackendSource onRedisson(RedissonClient redisson, RedisLocks locks) {
        return new BackendSource() {
            @Override
            public LockBackend open(BackendContext context) {
                if (RedissonNodes.isFor(redisson)) {
                    RedissonNodes nodes = RedissonNodes.beside(redisson);
                    List<Address> seeds =
                            nodes.seeds().stream().map(RedisConfig::nodeAddress).toList();
                    return openCluster(nodes.server(), seeds, nodes, locks, context);
                }
                return RedisBackend.open(RedissonMaster.of(redisson), locks, context);
            }

            @Override
            public Optional<BackendDeclaration> declaration() {
                return Optional.of(RedisBackend.declaration(RedissonMaster.commandTimeout(redisson), locks));
            }
        };
    }

    /**
     * Creates a backend as {@link #onLettuce(RedisClient, RedisURI, RedisLocks)} does, with {@link RedisLocks#defaults()}.
     *
     * @param lettuce the client; it stays open when the backend is closed
     * @param uri the server and its credentials, or the sentinels that name the server
     * @return opens the backend
     */
    public static BackendSource onLettuce(RedisClient lettuce, RedisURI uri) {
        return onLettuce(lettuce, uri, RedisLocks.defaults());
    }

    /**
     * Creates a backend for {@code LockClient.over} on the threads of an application's Lettuce client, with the client's options and
     * address resolution. The backend has connections of its own, which send no command twice. It ignores the options for reconnection,
     * timeouts, queues and the protocol. The timeout of commands is that of the URI: zero is Lettuce's default of 60 s, and more than a
     * year is a year.
     *
     * <p>When the application shuts the client down, calls under way and later ones fail within that timeout.
     *
     * @param lettuce the client; it stays open when the backend is closed
     * @param uri the server and its credentials, because a client does not show them; or the sentinels that name the server
     * @param locks the settings of the locks; an acknowledgement may wait for half of the URI's timeout
     * @return opens the backend; fails as {@link #on(RedisConfig)}, and with {@link IllegalArgumentException} if the timeout is too small
     */
    public static BackendSource onLettuce(RedisClient lettuce, RedisURI uri, RedisLocks locks) {
        BackendSource source = context -> open(LettuceConnection.beside(lettuce, uri), locks, context);
        return source.declaring(declaration(LettuceConnection.commandTimeout(uri), locks));
    }

    /**
     * Creates a backend as {@link #onLettuceCluster(RedisClusterClient, List, RedisLocks)} does, with {@link RedisLocks#defaults()}.
     *
     * @param lettuce the client; it stays open when the backend is closed
     * @param nodes some nodes of the cluster; credentials, TLS and timeout of the first count for all nodes
     * @return opens the backend
     * @throws IllegalArgumentException if there are no nodes
     */
    public static BackendSource onLettuceCluster(RedisClusterClient lettuce, List<RedisURI> nodes) {
        return onLettuceCluster(lettuce, nodes, RedisLocks.defaults());
    }

    /**
     * Creates a backend as {@link #onLettuce(RedisClient, RedisURI, RedisLocks)} does, for a cluster.
     *
     * @param lettuce the client; it stays open when the backend is closed
     * @param nodes some nodes of the cluster; credentials, TLS and timeout of the first count for all nodes
     * @param locks the settings of the locks; replicas that acknowledge are those of the master that has the lock
     * @return opens the backend; fails as {@link #on(RedisConfig)}, and with {@link IllegalArgumentException} if the timeout is too small
     * @throws IllegalArgumentException if there are no nodes
     */
    public static BackendSource onLettuceCluster(RedisClusterClient lettuce, List<RedisURI> nodes, RedisLocks locks) {
        ConfigChecks.require(!nodes.isEmpty(), "there are no nodes: at least one must be named");
        List<Address> addresses = nodes.stream()
                .map(node -> new Address(node.getHost(), node.getPort()))
                .toList();
        String server = (nodes.get(0).isSsl() ? "rediss" : "redis") + "-cluster://"
                + addresses.stream().map(Address::toString).collect(Collectors.joining(","));
        BackendSource source =
                context -> openCluster(server, addresses, LettuceNodes.beside(lettuce, nodes.get(0)), locks, context);
        return source.declaring(declaration(LettuceConnection.commandTimeout(nodes.get(0)), locks));
    }

    private static LockBackend openCluster(
            String server,
            List<Address> nodes,
            NodeConnection.Connector connector,
            RedisLocks locks,
            BackendContext context) {
        try {
            return open(ClusterConnection.open(server, nodes, connector, context), locks, context);
        } catch (BackendFailure e) {
            throw RedisFailures.atConnect(server, e);
        }
    }

    static LockBackend open(RedisConnection connection, RedisLocks locks, BackendContext context) {
        return RedisConnections.checkedBackend(connection, locks, context, RedisBackend::new);
    }

    /**
     * Returns the replication ids ({@code master_replid} of {@code INFO}) of the servers when the backend was opened. A master and its
     * replicas have the same id, independent servers have different ids. So equal ids show that two connections lead to the same data.
     *
     * @return one id for each master; empty if the servers hide them
     */
    public Set<String> replicationIds() {
        return replicationIds;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        Optional<CompletionStage<Attempt>> instead = acknowledged.flatMap(grants -> grants.instead(claim));
        if (instead.isPresent()) {
            return instead.get();
        }
        long sentAt = timing.nanoTime();
        Optional<Attempt.Granted> directGrant = holders.directGrant(claim, signals, sentAt);
        if (directGrant.isPresent()) {
            return believed(CompletableFuture.completedFuture(directGrant.get()));
        }
        return believed(requests.acquire(claim, signals, sentAt));
    }

    /** As soon as replicas have it, if they have to. */
    private CompletionStage<Attempt> believed(CompletionStage<Attempt> attempt) {
        return acknowledged.isPresent() ? attempt.thenCompose(acknowledged.get()::confirm) : attempt;
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        long sentAt = timing.nanoTime();
        HolderId giver = from.claim().holder();
        if (!to.share().isExclusive() || holders.mayStillArrive(giver)) {
            return LockBackend.super.transfer(from, to, signals);
        }
        Transfer sent = requests.transfer(giver, to, signals, sentAt);
        return new Transfer(sent.released(), believed(sent.attempt()));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        acknowledged.ifPresent(grants -> grants.over(claim.holder()));
        return releases.release(claim);
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return releases.retain(claim);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return renewals.renew(held);
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        return connection.combiner();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of(tokenFloor);
    }

    @Override
    public Optional<Inspector> inspector() {
        return Optional.of(inspector);
    }

    @Override
    public void close() {
        connection.close();
    }
}
