package io.hasp.redis;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.redis.redlock.NodeSockets;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.redlock.RedlockAttempt;
import io.hasp.redis.redlock.RedlockNode;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockRenewals;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.redlock.WakeUpListener;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.ProcessLabel;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import redis.clients.jedis.JedisSocketFactory;

/**
 * Locks on a majority of independent Redis servers (Redlock), each with a fencing token. Thread-safe.
 *
 * <p>An acquisition asks all nodes at once, goes on as soon as a majority has granted the lock, has a token acknowledged by a
 * majority that still keeps the lock, and does not wait for a dead minority. A grant outlives the death of a minority. Tokens
 * are distinct and grow in the order of time even if nodes stop, clients pause and messages arrive twice or late; if nodes
 * forget, as long as most clocks are about right.
 *
 * <p>Not guaranteed: mutual exclusion, when nodes that forgot and nodes that never granted make up a majority, when the clocks
 * of servers run at different speeds, or when a client is paused between looking at its lease and acting on it. What must not
 * break has to check the token. Waiting clients are served about in the order in which they came, without a promise.
 *
 * <p>After <em>Distributed Locks with Redis</em> (redis.io) and Kleppmann, <em>How to do distributed locking</em> (2016).
 */
public final class RedlockBackend implements LockBackend {
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE)
            .surviving(Capabilities.Survives.FAILOVER);
    /** A single attempt that nobody won is repeated a few times, because "busy" should mean that somebody has the lock. */
    private static final int MOST_TRIES = 4;

    private final RedlockConfig config;
    private final RedlockProtocol redlock;
    private final BackendContext context;
    private final LockKeys keys;
    private final List<RedlockNode> nodes = new ArrayList<>();
    private final NodeSocketsPool pool;
    /** Of virtual threads. */
    private final ThreadPoolExecutor ioThreads = PlatformThreads.atMost(NodeSocketsPool.MOST);

    private final RedlockRenewals renewals;
    private final HolderRegistry holders = new HolderRegistry();
    private final String channel;

    private RedlockBackend(
            RedlockConfig config,
            RedlockProtocol redlock,
            Function<RedisEndpoint, JedisSocketFactory> sockets,
            BackendContext context) {
        this.config = config;
        this.redlock = redlock;
        this.context = context;
        this.keys = new LockKeys(config.keyPrefix());
        this.channel = keys.channel(context.clientId());
        WakeUpListener wakeUps = new WakeUpListener(holders, redlock, context);
        for (RedisConfig node : config.nodes()) {
            RedisEndpoint endpoint = node.endpoint();
            nodes.add(new RedlockNode(endpoint, keys, context, wakeUps, sockets.apply(endpoint)));
        }
        this.pool = new NodeSocketsPool(nodes, config.nodeTimeout(), context);
        this.renewals = new RedlockRenewals(redlock, pool, keys, holders);
    }

    /**
     * A backend for {@code LockClient.over}.
     *
     * @param config where the nodes are and how to use them
     * @return opens the backend; fails with {@link BackendFailure} if no majority of the nodes can be reached, or one refuses
     *     or may evict locks
     */
    public static BackendSource on(RedlockConfig config) {
        return context -> {
            try {
                Quorum quorum = Quorum.of(config.nodes().size());
                return open(config, new RedlockProtocol(quorum, RedlockScripts.standard(), context.timing()), context);
            } catch (LinkageError e) {
                throw RedisConfig.Library.JEDIS.missing(e);
            }
        };
    }

    static LockBackend open(RedlockConfig config, RedlockProtocol redlock, BackendContext context) {
        return open(config, redlock, JedisSockets::of, context);
    }

    /** One that reaches the nodes by these sockets. */
    static LockBackend open(
            RedlockConfig config,
            RedlockProtocol redlock,
            Function<RedisEndpoint, JedisSocketFactory> sockets,
            BackendContext context) {
        RedlockBackend backend = new RedlockBackend(config, redlock, sockets, context);
        try {
            backend.connect();
            return backend;
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    private void connect() {
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        for (RedlockNode node : nodes) {
            opened.add(CompletableFuture.runAsync(node::open, context.executor()));
        }
        opened.forEach(RedlockBackend::join);
        refuseIfRefused();
        // Connecting may take longer on a busy machine; a node that was too slow is tried again in the background.
        long end = System.nanoTime() + config.nodeTimeout().multipliedBy(5).toNanos();
        while (nodes.stream().filter(RedlockNode::up).count() < redlock.quorum().majority()
                && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            refuseIfRefused();
        }
        requireMajority("the connection");
    }

    private static void join(CompletableFuture<Void> node) {
        try {
            node.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LinkageError missing) {
                throw missing;
            }
            throw e;
        }
    }

    /** One node that has another password, or may evict locks, is a mistake that trying again does not mend. */
    private void refuseIfRefused() {
        for (RedlockNode node : nodes) {
            BackendFailure reason = node.reason();
            if (!node.up() && reason.kind() != BackendFailure.Kind.UNAVAILABLE) {
                throw reason;
            }
        }
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return stage(() -> pool.with(sockets -> acquire(sockets, claim, signals)));
    }

    /** Both are written to each node in one go, the release first, so whoever waits is served first. */
    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        CompletionStage<Transfer> sent = stage(() -> pool.with(sockets -> transfer(sockets, from, to, signals)));
        return new Transfer(sent.thenCompose(Transfer::released), sent.thenCompose(Transfer::attempt));
    }

    private Transfer transfer(NodeSockets sockets, Grant from, Claim to, SignalListener signals) {
        HolderId giver = from.claim().holder();
        NodeReplies left = release(sockets, to.name(), giver, sent -> true);
        holders.forget(giver);
        CompletionStage<Attempt> attempt = stage(() -> acquire(sockets, to, signals));
        // A node replies in the order in which it is asked: mostly the release was answered on the way.
        sockets.await(left, this::released);
        return new Transfer(stage(() -> outcome(to.name(), left)), attempt);
    }

    private Attempt acquire(NodeSockets sockets, Claim claim, SignalListener signals) {
        requireMajority("the lock '" + claim.name() + "'");
        HolderState mine = holders.requesting(claim.holder(), signals);
        try {
            Attempt attempt = attempt(sockets, claim, mine);
            for (int tries = 1; attempt instanceof Attempt.Busy busy && !claim.queue(); tries++) {
                if (mine.splits() == 0 || tries == MOST_TRIES) {
                    leaveNothing(sockets, claim);
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
    private void leaveNothing(NodeSockets sockets, Claim claim) {
        if (holders.mayStillArrive(claim.holder())) {
            release(sockets, claim.name(), claim.holder(), replies -> true);
        }
        holders.forget(claim.holder());
    }

    private Attempt attempt(NodeSockets sockets, Claim claim, HolderState mine) {
        List<String> names = keysOf(claim.name(), claim.holder());
        return new RedlockAttempt(redlock, sockets, claim, mine, names, request(claim, mine)).run();
    }

    /** If it is known that there is none, nothing is sent. */
    private void requireMajority(String what) {
        NodeReplies replies = new NodeReplies(nodes.size(), new BitSet(), () -> {});
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).up()) {
                replies.failure(i, nodes.get(i).reason());
            }
        }
        if (redlock.quorum().preventedBy(replies.failed())) {
            throw replies.noMajority(what, redlock.quorum(), Outcome.NOT_APPLIED);
        }
    }

    private List<String> keysOf(LockName name, HolderId holder) {
        return LockKeys.of(keys.lock(name), holder.value());
    }

    private List<String> request(Claim claim, HolderState mine) {
        List<String> request = new ArrayList<>(List.of(
                claim.holder().value(),
                Long.toString(ServerLease.of(claim).toMillis()),
                claim.queue() ? "1" : "0",
                claim.queue() && nodes.stream().anyMatch(RedlockNode::canWake) ? channel : "",
                ProcessLabel.describe()));
        if (!mine.ticket().isEmpty()) {
            request.add(mine.ticket());
        }
        return request;
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return stage(() -> {
            LockName name = claim.name();
            Released outcome =
                    pool.with(sockets -> outcome(name, release(sockets, name, claim.holder(), this::released)));
            holders.forget(claim.holder());
            return outcome;
        });
    }

    private Released outcome(LockName name, NodeReplies replies) {
        if (!redlock.quorum().reached(replies.replied())) {
            throw replies.noMajority("the release of '" + name + "'", redlock.quorum(), Outcome.UNKNOWN);
        }
        if (redlock.quorum().preventedBy(replies.countOfFirst("NOT_HELD"))) {
            return Released.NOT_HELD;
        }
        if (redlock.quorum().preventedBy(replies.count("NOT_HELD"::equals))) {
            throw RedisFailures.lostReleaseReply("a majority");
        }
        return Released.RELEASED;
    }

    private NodeReplies release(NodeSockets sockets, LockName name, HolderId holder, Predicate<NodeReplies> enough) {
        boolean tombstone = holders.mayStillArrive(holder);
        HolderState mine = holders.find(holder.value());
        IntPredicate knows = mine == null ? node -> true : mine::reached;
        return redlock.release(sockets, keysOf(name, holder), holder, sockets.all(), knows, tombstone, false, enough);
    }

    /** Whether the outcome is known. A NOT_HELD from a node that got the release twice proves nothing: the first may have ended the hold. */
    private boolean released(NodeReplies replies) {
        return redlock.quorum().reached(replies.count("RELEASED"::equals))
                || redlock.quorum().preventedBy(replies.countOfFirst("NOT_HELD"));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return stage(() -> renewals.renew(held));
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

    /** What an error broke off may have been sent. */
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
            ExceptionSafe.forEach(nodes, RedlockNode::close);
        } finally {
            ioThreads.shutdown();
            pool.close();
        }
    }
}
