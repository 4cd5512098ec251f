package io.hasp.engine;

import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.RenewalTimer;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.guard.OtherKindRetry;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.machine.Transition;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.engine.threads.PoolExecutor;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.StackReserve;
import io.hasp.spi.TokenFloor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one client: a {@link LockMachine} and its {@link LockDriver} per lock name and kind, kept while it has waiters, leases or
 * unanswered requests, and the services that they share. Thread-safe.
 */
public final class LockEngine {
    /** The longest wait for the end of a client that has failed. */
    private static final long LONGEST_END = TimeUnit.SECONDS.toNanos(5);

    private final SharedServices services;
    /** Null if the backend is opened once. */
    private final @Nullable OnDemandBackend onDemand;

    private volatile EngineSettings settings;
    private final String clientId;
    private final RenewalTimer renewals;
    private final @Nullable Keeping keeping;
    private final ConcurrentHashMap<NameAndCapacity, LockDriver> drivers = new ConcurrentHashMap<>();
    private final AtomicLong holders = new AtomicLong();
    /** The unanswered calls of operators. */
    private final AtomicInteger inspections = new AtomicInteger();

    private final Supplier<HolderId> holderIds = this::newHolder;
    private final Consumer<LockDriver> whenIdle = this::retired;
    private volatile Consumer<Transition> trace = transition -> {};
    private volatile boolean closing;
    /** The last stage of closing; null at first. */
    private volatile @Nullable Event beyondClosing;

    private volatile boolean ended;

    /**
     * An engine.
     *
     * @param everyTick run now and then on the timer's thread while there are leases
     */
    public LockEngine(
            LockBackend backend,
            EngineThreads threads,
            String clientId,
            EngineSettings settings,
            Consumer<Notice> notices,
            Runnable everyTick) {
        this.services = new SharedServices(
                backend,
                settings.keep() > 0 ? new OtherKindRetry(this::settles, this::requestLater) : null,
                threads,
                notices);
        this.onDemand = backend instanceof OnDemandBackend opened ? opened : null;
        this.settings = settings;
        this.clientId = clientId;
        this.renewals = new RenewalTimer(services, settings.renewedLease(), everyTick);
        this.keeping = settings.keep() > 0 ? new Keeping(services::clockDifference) : null;
        services.failStop.endBy(this::endFailed);
    }

    /** Notifies first, and closes the backend afterwards: that may take its time. */
    private void endFailed() {
        String why = services.whyFailed();
        drivers.values().forEach(driver -> driver.end(why));
        services.calls.end(services.failStop.cause());
        stopOpening();
        LosslessExecutor.contained(services.backend::close);
        services.threads.stop();
        synchronized (this) {
            notifyAll();
        }
    }

    /** Gives back a kept lock whose name is wanted as another kind. True if nothing but that or an unanswered release is there. */
    private boolean settles(Claim wanted) {
        List<LockDriver> others = drivers.values().stream()
                .filter(driver -> driver.machine().about().name().equals(wanted.name())
                        && driver.machine().about().capacity() != wanted.share().capacity())
                .toList();
        if (others.stream().anyMatch(driver -> !driver.leasesInUse().isEmpty())) {
            return false;
        }
        others.forEach(LockDriver::giveBackKept);
        return !others.isEmpty();
    }

    private void requestLater(long delay, Runnable request) {
        if (delay == 0) {
            services.threads.background.execute(request);
        } else {
            services.schedule(delay, () -> services.threads.background.execute(request));
        }
    }

    /** Traces the rows of the transition table that are taken from now on; for tests. */
    public void trace(Consumer<Transition> observer) {
        trace = observer;
    }

    /** Sets the number of contenders for a shared lock that ask at a time, for locks not used yet; for tests. */
    public void mostAsking(int contenders) {
        settings = settings.mostAsking(contenders);
    }

    /** Sets the bounds of hand-offs, the time in nanoseconds, for locks not used yet; for tests. */
    public void handOffs(int most, long within) {
        settings = settings.handOffs(most, within);
    }

    /** The threads of the client. */
    public EngineThreads threads() {
        return services.threads;
    }

    /** The promises of the backend. */
    public Capabilities capabilities() {
        return services.backend.capabilities();
    }

    /** True if the client closes, is closed or has failed. */
    public boolean closing() {
        return closing || services.failStop.failed();
    }

    /** The error that ended the client; null if there was none. */
    public @Nullable Throwable failure() {
        return services.failStop.cause();
    }

    /** The calling thread, for a blocking call about several locks. */
    public SeveralCaller severalCaller() {
        return new SeveralCaller(services);
    }

    /** The executor of requests whose callers don't block. */
    public RequestExecutor pool() {
        return services.pool;
    }

    /** The executor of requests that no caller waits for, on threads of the client's own. */
    public RequestExecutor background() {
        return new PoolExecutor(services.threads.background);
    }

    /** Nanoseconds since the client was made. */
    public long now() {
        return services.now();
    }

    private HolderId newHolder() {
        return new HolderId(clientId + "-" + holders.incrementAndGet());
    }

    /** A driver that does not retire before {@link LockDriver#leave}. */
    private LockDriver enter(NameAndCapacity lock) {
        LockDriver driver = driverOf(lock);
        while (!driver.enter()) {
            forget(driver);
            driver = driverOf(lock);
        }
        return driver;
    }

    /** One that may be about to retire. */
    private LockDriver driverOf(NameAndCapacity lock) {
        LockDriver present = drivers.get(lock);
        if (present != null) {
            return present;
        }
        LockDriver fresh = driver(lock);
        LockDriver other = drivers.putIfAbsent(lock, fresh);
        return other == null ? fresh : other;
    }

    private LockDriver driver(NameAndCapacity lock) {
        LockMachine machine = new LockMachine(lock, settings, holderIds, trace, keeping);
        if (closing) {
            // It has nothing to end, and a caller that joins learns it.
            machine.on(new Event.Closing(services.pool), services.now(), new ArrayList<>());
        }
        return new LockDriver(machine, services, renewals, whenIdle);
    }

    private void forget(LockDriver driver) {
        drivers.remove(driver.machine().about(), driver);
    }

    private void retired(LockDriver driver) {
        forget(driver);
        changed();
    }

    /**
     * Begins an acquisition.
     *
     * @param wait in nanoseconds; zero for a single attempt
     * @param executor the executor of its requests
     * @throws StackOverflowError if the caller has too little stack left; nothing has happened then
     */
    public Acquisition acquire(LockName name, LeaseTerms terms, long wait, RequestExecutor executor) {
        return acquire(name, terms, wait, executor, false);
    }

    /** Begins a single attempt for a larger acquisition, which {@linkplain #reportRefusal reports} a refusal itself if it ends with it. */
    public Acquisition acquirePart(LockName name, LeaseTerms terms, RequestExecutor executor) {
        return acquire(name, terms, 0, executor, true);
    }

    /** Reports that an acquisition of several locks ended without this one, after a time in nanoseconds. */
    public void reportRefusal(LockName name, Outcome outcome, long waited) {
        if (outcome instanceof Outcome.Contended) {
            services.report(new Notice.Contended(name, waited));
        } else if (outcome instanceof Outcome.Failed failed) {
            services.report(new Notice.Unavailable(
                    name, waited, String.valueOf(failed.failure().getMessage())));
        }
    }

    private Acquisition acquire(
            LockName name, LeaseTerms terms, long wait, RequestExecutor executor, boolean partOfMore) {
        StackReserve.require();
        try {
            NameAndCapacity lock = new NameAndCapacity(name, terms.share().capacity());
            while (true) {
                LockDriver driver = driverOf(lock);
                Contender contender = driver.machine().contender(terms, executor, wait, services.now());
                if (partOfMore) {
                    contender.partOfMore();
                }
                if (joined(driver, contender)) {
                    return new Acquisition(services, driver, contender);
                }
                forget(driver);
            }
        } catch (Throwable broken) {
            services.failStop.fail(broken);
            throw broken;
        }
    }

    private boolean joined(LockDriver driver, Contender contender) {
        boolean joined = driver.join(contender);
        if (joined && services.failStop.failed()) {
            services.calls.track(contender.result);
        }
        if (joined && closing) {
            // It may have joined after close() ended those that wait.
            driver.apply(new Event.Closing(services.pool));
        }
        Event beyond = beyondClosing;
        if (joined && beyond != null) {
            driver.apply(beyond);
        }
        if (joined && ended) {
            // What it owes would be tried again and again otherwise.
            driver.apply(new Event.Closed());
        }
        return joined;
    }

    /**
     * Makes the tokens of later grants greater than a number, and waits for the answer.
     *
     * @param token a public one
     */
    public void raiseTokenFloor(TokenFloor floor, LockName name, long token) {
        services.calls.join(beginRaising(floor, name, token));
    }

    /** Like {@link #raiseTokenFloor}, without waiting. */
    public CompletionStage<Void> beginRaising(TokenFloor floor, LockName name, long token) {
        long serverFloor = FencingTokens.serverToken(token);
        LockDriver driver = enter(NameAndCapacity.exclusive(name));
        try {
            driver.apply(new Event.FloorRaised(serverFloor));
            return floor.raise(name, serverFloor).whenComplete((done, failure) -> {
                try {
                    if (failure != null) {
                        services.failureOf(failure);
                    }
                    // Permits, too, are handed on with the tokens of before.
                    drivers.values().stream()
                            .filter(other -> other.machine().about().name().equals(name))
                            .forEach(other -> other.apply(new Event.FloorRaised(serverFloor)));
                } finally {
                    driver.leave();
                }
            });
        } catch (Throwable broken) {
            driver.leave();
            throw broken;
        }
    }

    /** Raises the floor of tokens; empty if the backend does not offer it. */
    public Optional<TokenFloor> tokenFloor() {
        return services.backend.tokenFloor();
    }

    // Inspection

    /** The operations for operators; empty if the backend does not offer them. */
    public Optional<Inspector> inspector() {
        return services.backend.inspector();
    }

    /**
     * Makes a request of an inspector on the calling thread, and waits for the answer. An interrupt is kept until afterwards, so that it
     * does not disturb a client library.
     *
     * @throws CompletionException with the failure of the stage, or an {@link EngineClosedException}
     */
    public <T> T inspect(Supplier<CompletionStage<T>> request) {
        boolean interrupted = Thread.interrupted();
        inspections.incrementAndGet();
        try {
            return services.calls.join(request.get().whenComplete((answer, failure) -> {
                if (failure != null) {
                    services.failureOf(failure);
                }
            }));
        } finally {
            inspections.decrementAndGet();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // Closing

    /** Fails waiting callers and gives kept grants back; leases in use stay. Returns at once. */
    public void beginClosing() {
        closing = true;
        applyToAll(new Event.Closing(services.pool));
        stopOpening();
    }

    /** Leaves the leases that are in use to their work. Returns at once. */
    public void leave() {
        goBeyondClosing(new Event.Leaving());
    }

    /** Fails waiting callers and gives everything back. Returns at once. */
    public void giveEverythingBack() {
        closing = true;
        goBeyondClosing(new Event.GivingEverythingBack(services.pool));
        stopOpening();
    }

    private void stopOpening() {
        if (onDemand != null) {
            onDemand.stopOpening();
        }
    }

    private void goBeyondClosing(Event beyond) {
        synchronized (this) {
            // What was given back is not left any more.
            if (!(beyondClosing instanceof Event.GivingEverythingBack)) {
                beyondClosing = beyond;
            }
        }
        applyToAll(beyond);
    }

    private void applyToAll(Event event) {
        drivers.values().forEach(driver -> driver.apply(event));
    }

    /** The leases that are in use. */
    List<LeaseInUse> leasesInUse() {
        if (services.failStop.failed()) {
            return List.of();
        }
        List<LeaseInUse> all = new ArrayList<>();
        for (LockDriver driver : drivers.values()) {
            driver.leasesInUse()
                    .forEach(lease ->
                            all.add(new LeaseInUse(driver.machine().about().name(), lease)));
        }
        return all;
    }

    /** True if the server has answered everything; leases may be in use. */
    public boolean answered() {
        return services.failStop.failed() || drivers.values().stream().allMatch(LockDriver::answered);
    }

    /** The name of the client. */
    String clientId() {
        return clientId;
    }

    /** True if nothing is left that the server has not answered. */
    public boolean settled() {
        return services.failStop.failed() || drivers.isEmpty();
    }

    /** True if {@link #disconnect} can have an effect. */
    public boolean mayDisconnect() {
        return onDemand != null;
    }

    /**
     * Ends the connections if nothing needs them: there is no lease, no request and no waiting caller. A lock has its driver here before it
     * uses them, so a concurrent call either keeps them or connects anew.
     */
    boolean disconnect() {
        return onDemand != null && settled() && onDemand.disconnect(() -> settled() && inspections.get() == 0);
    }

    /** Notes that something ended; only a closing client waits for that. */
    private void changed() {
        if (closing) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Waits for the next change, at most for a time in nanoseconds. */
    synchronized void awaitChange(long nanos) throws InterruptedException {
        if (!settled()) {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        }
    }

    /** Ends the connections and threads; unanswered calls fail. */
    public void end() {
        if (services.failStop.failed()) {
            services.failStop.awaitEnd(LONGEST_END);
            return;
        }
        ended = true;
        try {
            applyToAll(new Event.Closed());
            services.backend.close();
        } finally {
            services.calls.end(null);
            services.threads.stop();
        }
    }
}
