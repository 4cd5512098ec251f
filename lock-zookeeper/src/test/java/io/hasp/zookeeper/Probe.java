package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.spi.Timing;
import io.hasp.spi.Transfer;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.CreatedNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** Drives the backend through its contract, as the engine would, but one step at a time. */
public final class Probe implements AutoCloseable {
    public static final Duration LEASE = Duration.ofMinutes(1);

    private static final AtomicInteger CLIENTS = new AtomicInteger();
    private static final long PATIENCE_SECONDS = 30;

    private final String clientId = "probe" + CLIENTS.incrementAndGet();
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong tasks = new AtomicLong();
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1);
    public final LockBackend backend;

    private Probe(BackendSource source) {
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        try {
            backend = source.open(new BackendContext(clientId, new RealTime(), Runnable::run));
        } catch (RuntimeException e) {
            scheduler.shutdownNow();
            throw e;
        }
    }

    public static Probe connect(String uri) {
        return new Probe(context -> new ZooKeeperProvider().open(URI.create(uri), context));
    }

    public static Probe over(BackendSource source) {
        return new Probe(source);
    }

    /** A new holder that waits. */
    public Holder holder(String lock) {
        return new Holder(lock, true);
    }

    /** A new holder with this id that waits. */
    public Holder holder(String lock, String id) {
        return new Holder(lock, new HolderId(id), true);
    }

    /** A new holder that waits for a share. */
    public Holder holder(String lock, Share share) {
        return new Holder(lock, new HolderId(clientId + "-" + holders.incrementAndGet()), true, share);
    }

    /** A new holder with a label that waits for a share. */
    Holder labelled(String lock, Share share, String label) {
        return new Holder(holder(lock, share).claim.withLabel(label));
    }

    /** The locks on one page of a listing. */
    Inspector.Page list(String prefix, String cursor) {
        return await(inspector().list(prefix, cursor));
    }

    /** One lock; throws if it has neither holder nor waiter. */
    Inspector.Content find(String lock) {
        return await(inspector().find(new LockName(lock))).orElseThrow();
    }

    boolean remove(String lock, Inspector.Holder holder) {
        return await(inspector().remove(new LockName(lock), holder));
    }

    private Inspector inspector() {
        return backend.inspector().orElseThrow();
    }

    /** A new holder that makes a single try for a share. */
    public Holder trier(String lock, Share share) {
        return new Holder(lock, new HolderId(clientId + "-" + holders.incrementAndGet()), false, share);
    }

    /** A new holder that makes a single try. */
    public Holder trier(String lock) {
        return new Holder(lock, false);
    }

    /** A new holder that waits, and would like to keep the lock after its release. */
    Holder keeper(String lock) {
        return keeper(lock, true);
    }

    /** A new holder that would like to keep the lock, and waits or not. */
    Holder keeper(String lock, boolean queue) {
        HolderId id = new HolderId(clientId + "-" + holders.incrementAndGet());
        return new Holder(
                Claim.renewedLease(new LockName(lock), id, LEASE, queue).withKeeps(true));
    }

    /** The number of tasks that the backend has scheduled. */
    long scheduled() {
        return tasks.get();
    }

    /** From now on the backend's clock is that much later. */
    void passes(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    public List<Renewal> renew(List<Grant> grants) {
        return await(backend.renew(grants));
    }

    @Override
    public void close() {
        backend.close();
        scheduler.shutdownNow();
    }

    /** The result of a stage; throws the failure that it failed with. */
    public static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BackendFailure failure) {
                throw failure;
            }
            throw new AssertionError("the contract allows backend failures only", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** One holder and the signals it got. */
    public final class Holder {
        final Claim claim;
        public final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

        private Holder(String lock, boolean queue) {
            this(lock, new HolderId(clientId + "-" + holders.incrementAndGet()), queue);
        }

        private Holder(String lock, HolderId id, boolean queue) {
            this(lock, id, queue, Share.EXCLUSIVE);
        }

        private Holder(String lock, HolderId id, boolean queue, Share share) {
            this(Claim.renewedLease(new LockName(lock), id, LEASE, queue).withShare(share));
        }

        private Holder(Claim claim) {
            this.claim = claim;
        }

        public CompletionStage<Attempt> start() {
            return backend.acquire(claim, signals::add);
        }

        public Attempt attempt() {
            return await(start());
        }

        /** Attempts until there is an answer, as the engine does: a busy disk may keep a server silent for a while. */
        public Attempt answered() {
            return Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .ignoreException(BackendFailure.class)
                    .until(this::attempt, attempt -> true);
        }

        public Grant granted() {
            return grantedAnswer().grant();
        }

        private Attempt.Granted grantedAnswer() {
            Attempt attempt = answered();
            if (attempt instanceof Attempt.Granted granted) {
                return granted;
            }
            throw new AssertionError("not granted but " + attempt);
        }

        /** A grant that is to be recallable. */
        Grant recallable() {
            Attempt.Granted granted = grantedAnswer();
            if (!granted.recallable()) {
                throw new AssertionError("not recallable: " + granted);
            }
            return granted.grant();
        }

        /** A grant that is not to be recallable. */
        Grant plain() {
            Attempt.Granted granted = grantedAnswer();
            if (granted.recallable()) {
                throw new AssertionError("recallable: " + granted);
            }
            return granted.grant();
        }

        /** Renews as the engine does for a grant that it does not keep. */
        Renewal renewedPlainly(Grant grant) {
            return renew(List.of(grant.withClaim(grant.claim().withKeeps(false))))
                    .get(0);
        }

        /** The name of its node. */
        String node() {
            LockNode node = backend instanceof MultiSessionBackend connected
                    ? connected.nodeOf(claim.holder())
                    : ((ZooKeeperBackend) backend).nodeOf(claim.holder());
            return node == null ? "none of " + claim : CreatedNode.nameOf(node.path());
        }

        /** True if a recall has arrived since the last call. */
        boolean toldWanted() {
            boolean told = signals.contains(Signal.WANTED);
            signals.clear();
            return told;
        }

        /** Attempts at each signal until it is granted. */
        public Grant waited() {
            while (true) {
                signals.clear();
                if (answered() instanceof Attempt.Granted granted) {
                    return granted.grant();
                }
                awaitSignal(Signal.MAYBE_FREE);
            }
        }

        public void awaitSignal(Signal expected) {
            List<Signal> others = new ArrayList<>();
            try {
                Signal signal = signals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                while (signal != expected) {
                    if (signal == null) {
                        throw new AssertionError("no signal " + expected + " but " + others);
                    }
                    others.add(signal);
                    signal = signals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        Transfer transferFrom(Grant grant) {
            return backend.transfer(grant, claim, signals::add);
        }

        public Released release() {
            return await(backend.release(claim));
        }
    }

    private final class RealTime implements Timing {
        @Override
        public long nanoTime() {
            return System.nanoTime() + passed.get();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            tasks.incrementAndGet();
            if (scheduler.isShutdown()) {
                return () -> {};
            }
            ScheduledFuture<?> scheduled = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        }
    }
}
