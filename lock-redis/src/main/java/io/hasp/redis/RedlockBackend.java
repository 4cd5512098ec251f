package io.hasp.redis;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.redis.redlock.NodeSockets;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.redlock.RedlockAttempt;
import io.hasp.redis.redlock.RedlockInspector;
import io.hasp.redis.redlock.RedlockNode;
import io.hasp.redis.redlock.RedlockNodes;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockReleases;
import io.hasp.redis.redlock.RedlockRenewals;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.redlock.WakeUpListener;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.script.StoredLabel;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.JedisSocketFactory;

/**
 * Locks on a majority of independent Redis servers (Redlock), each with a fencing token. Thread-safe.
 *
 * <p>An acquisition sends its request to all nodes at once. Once a majority has granted the lock, it has a token acknowledged by a majority
 * that still keeps the lock. It does not wait for a dead minority, and a grant outlives the death of a minority. Tokens are distinct and
 * grow in the order of time, even if nodes stop, clients pause and messages arrive twice or late. If nodes forget, tokens grow as long as
 * most clocks are about right.
 *
 * <p>Not guaranteed: mutual exclusion, when nodes that forgot and nodes that never granted make up a majority, when the clocks of servers
 * run at different speeds, or when a client is paused between looking at its lease and acting on it. A store that must not break has to
 * check the token. Waiting clients are served about in the order in which they came, without a promise.
 *
 * <p>After <em>Distributed Locks with Redis</em> (redis.io) and Kleppmann, <em>How to do distributed locking</em> (2016).
 */
public final class RedlockBackend implements LockBackend {
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE)
            .surviving(Capabilities.Survives.FAILOVER)
            .inspecting();
    /** A single attempt that no client won is repeated a few times: "busy" should mean that a client has the lock. */
    private static final int MOST_TRIES = 4;

    private final RedlockProtocol redlock;
    private final LockKeys keys;
    private final ServerCheck check =
            ServerCheck.refusingEviction("set it to noeviction, which Redlock needs on each of its nodes");
    private final RedlockNodes nodes;
    private final NodeSocketsPool pool;
    /** Of virtual threads. */
    private final ThreadPoolExecutor ioThreads = PlatformThreads.atMost(NodeSocketsPool.MOST);

    private final RedlockRenewals renewals;
    private final RedlockReleases releases;
    private final Inspector inspector;
    private final HolderRegistry holders = new HolderRegistry();
    private final String channel;

    private RedlockBackend(
            RedlockConfig config,
            RedlockProtocol redlock,
            Function<RedisEndpoint, JedisSocketFactory> sockets,
            BackendContext context) {
        this.redlock = redlock;
        this.keys = new LockKeys(config.keyPrefix());
        this.channel = keys.channel(context.clientId());
        WakeUpListener wakeUps = new WakeUpListener(holders, redlock, context, this::send);
        List<RedlockNode> all = new ArrayList<>();
        for (RedisConfig node : config.nodes()) {
            RedisEndpoint endpoint = node.endpoint();
            all.add(new RedlockNode(endpoint, keys, check, context, wakeUps, sockets.apply(endpoint)));
        }
        this.nodes = new RedlockNodes(all, redlock.quorum());
        this.pool = new NodeSocketsPool(all, config.nodeTimeout(), context);
        this.renewals = new RedlockRenewals(redlock, pool, keys, holders);
        this.releases = new RedlockReleases(redlock, keys, holders);
        this.inspector = new RedlockInspector(redlock, nodes, pool, keys, releases, this::stage);
    }

    /**
     * Creates a backend for {@code LockClient.over}.
     *
     * @param config the addresses and the settings of the nodes
     * @return opens the backend; fails with {@link BackendFailure} if no majority of the nodes can be reached, or if a node refuses or may
     *     evict locks
     */
    public static BackendSource on(RedlockConfig config) {
        BackendSource source = context -> {
            try {
                Quorum quorum = Quorum.of(config.nodes().size());
                return open(config, new RedlockProtocol(quorum, RedlockScripts.standard(), context.timing()), context);
            } catch (LinkageError e) {
                throw RedisConfig.Library.JEDIS.missing(e);
            }
        };
        return source.declaring(new BackendDeclaration(CAPABILITIES.evicting(), false, waitFor(config)));
    }

    /** To connect, a node needs several answers. */
    private static Duration waitFor(RedlockConfig config) {
        return config.nodeTimeout().multipliedBy(10);
    }

    static LockBackend open(RedlockConfig config, RedlockProtocol redlock, BackendContext context) {
        return open(config, redlock, JedisSockets::of, context);
    }

    /** Creates a backend that reaches the nodes by these sockets. */
    static LockBackend open(
            RedlockConfig config,
            RedlockProtocol redlock,
            Function<RedisEndpoint, JedisSocketFactory> sockets,
            BackendContext context) {
        RedlockBackend backend = new RedlockBackend(config, redlock, sockets, context);
        try {
            backend.nodes.connect(context.executor(), config.nodeTimeout());
            return backend;
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    @Override
    public Capabilities capabilities() {
        return check.mayEvict() ? CAPABILITIES.evicting() : CAPABILITIES;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return stage(() -> pool.with(sockets -> acquire(sockets, claim, signals)));
    }

    /** Sends both requests to each node in one write, the release first. So waiters of other clients are served first. */
    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        CompletionStage<Transfer> sent = stage(() -> pool.with(sockets -> transfer(sockets, from, to, signals)));
        return new Transfer(sent.thenCompose(Transfer::released), sent.thenCompose(Transfer::attempt));
    }

    private Transfer transfer(NodeSockets sockets, Grant from, Claim to, SignalListener signals) {
        HolderId giver = from.claim().holder();
        NodeReplies left = releases.send(sockets, to.name(), giver, sent -> true);
        holders.forget(giver);
        CompletionStage<Attempt> attempt = stage(() -> acquire(sockets, to, signals));
        // A node replies in the order in which it is asked: mostly the release was answered on the way.
        sockets.await(left, releases::known);
        return new Transfer(stage(() -> releases.outcome(to.name(), left)), attempt);
    }

    private Attempt acquire(NodeSockets sockets, Claim claim, SignalListener signals) {
        nodes.requireMajority("the lock '" + claim.name() + "'");
        if (holders.isReleasing(claim.holder())) {
            return new Attempt.Gone();
        }
        HolderState mine = holders.requesting(claim, signals);
        try {
            Attempt attempt = attempt(sockets, claim, mine);
            for (int tries = 1; attempt instanceof Attempt.Busy busy && !claim.queue(); tries++) {
                if (mine.splits() == 0 || tries == MOST_TRIES) {
                    leaveNothing(sockets, claim, mine);
                    return attempt;
                }
                LockSupport.parkNanos(busy.pollAfter().toNanos());
                mine.asked(signals);
                attempt = attempt(sockets, claim, mine);
            }
            if (attempt instanceof Attempt.Gone) {
                holders.forget(claim.holder());
            }
            return attempt;
        } catch (BackendFailure e) {
            if (e.outcome() == Outcome.NOT_APPLIED && mine.ticket().isEmpty()) {
                holders.forget(claim.holder());
            }
            throw e;
        }
    }

    /** A holder that does not wait ends with its attempt. A request of it that arrives late must find a tombstone. */
    private void leaveNothing(NodeSockets sockets, Claim claim, HolderState mine) {
        releases.bury(sockets, claim.name(), claim.holder(), mine);
    }

    /** Sends back what a node keeps for a waiter that was released. If that is not sent, it ends with the waiter's claim. */
    private void send(RedlockNode node, ScriptCall release) {
        try {
            pool.with(sockets -> {
                sockets.send(node, release);
                return node;
            });
        } catch (BackendFailure e) {
            // The client is closed.
        }
    }

    private Attempt attempt(NodeSockets sockets, Claim claim, HolderState mine) {
        List<String> names = keys.all(claim.name(), claim.holder());
        return new RedlockAttempt(redlock, sockets, claim, mine, names, request(claim, mine)).run();
    }

    private List<String> request(Claim claim, HolderState mine) {
        List<String> request = new ArrayList<>(List.of(
                claim.holder().value(),
                Long.toString(ServerLease.of(claim).toMillis()),
                claim.queue() ? "1" : "0",
                claim.queue() && nodes.anyCanWake() ? channel : "",
                StoredLabel.of(claim.label())));
        if (!mine.ticket().isEmpty()) {
            request.add(mine.ticket());
        }
        return request;
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return stage(() -> {
            LockName name = claim.name();
            Released outcome = pool.with(
                    sockets -> releases.outcome(name, releases.send(sockets, name, claim.holder(), releases::known)));
            holders.forget(claim.holder());
            return outcome;
        });
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return stage(() -> renewals.renew(held));
    }

    @Override
    public Optional<Inspector> inspector() {
        return Optional.of(inspector);
    }

    private <T> CompletionStage<T> stage(Supplier<T> work) {
        try {
            return PlatformThreads.needed()
                    ? CompletableFuture.supplyAsync(() -> safely(work), ioThreads)
                    : CompletableFuture.completedStage(safely(work));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedStage(RedisFailures.unreachable("the nodes", e));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** A call that an error broke off may have been sent. */
    private static <T> T safely(Supplier<T> work) {
        try {
            return work.get();
        } catch (Error e) {
            throw RedisFailures.silent("the nodes", e);
        }
    }

    @Override
    public void close() {
        try {
            nodes.close();
        } finally {
            ioThreads.shutdown();
            pool.close();
        }
    }
}
