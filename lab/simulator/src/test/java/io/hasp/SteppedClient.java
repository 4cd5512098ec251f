package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.machine.Transition;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.Nanos;
import io.hasp.simulator.clients.ClientDriver;
import io.hasp.simulator.clients.KeptLock;
import io.hasp.simulator.clients.SteppedCall;
import io.hasp.simulator.clients.SteppedWork;
import io.hasp.simulator.world.SimulatedError;
import io.hasp.spi.BackendSource;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.TokenFloor;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A real client whose blocking calls and whose closing are made one step at a time. */
public final class SteppedClient implements ClientDriver {
    /** Longer than the engine's own, so that a grant is renewed between its hand-offs. */
    private static final long LONGEST_HAND_OFF = Duration.ofSeconds(20).toNanos();

    private static final long LONGEST_CLOSING = Duration.ofSeconds(5).toNanos();
    private static final Field CLIENT = field(LockClient.class, "client");
    private static final Field CONTROL = field(Lease.class, "control");

    /** The number of times that each row of the engine's table was taken. */
    public static final Map<Transition, LongAdder> TAKEN = counters();

    private final LockClient client;
    private final Supplier<Runnable> waker;
    private final ClientContext context;
    private final LockEngine engine;
    private final EngineStateHash state;
    private final PresentGrants grants;
    private final ThreadHolds holds;
    private Thread caller = IdleThreads.get(0);
    private boolean changed = true;
    private long stateAt;
    private long stateHash;
    /** The number of rows until one breaks; zero if none does. */
    private int rowsLeft;

    private Runnable onBreak = () -> {};

    private long closesBy = Long.MAX_VALUE;
    private boolean closed;

    private SteppedClient(LockClient client, Supplier<Runnable> waker) {
        this.client = client;
        this.waker = waker;
        try {
            this.context = (ClientContext) CLIENT.get(client);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        this.engine = context.engine;
        this.state = new EngineStateHash(engine);
        this.grants = new PresentGrants(engine);
        this.holds = new ThreadHolds(context.events, () -> caller);
        engine.trace(this::took);
    }

    /** Opens clients. */
    public static final class Opener implements Factory {
        /** Without arguments, so that it can be named. */
        public Opener() {}

        @Override
        public ClientDriver open(BackendSource source, ClientOptions options, int mostAsking, @Nullable Pools pools) {
            SteppedClient opened = pools == null
                    ? new SteppedClient(LockClient.over(source, options), () -> () -> {})
                    : new SteppedClient(LockClient.over(source, options, new GivenPools(pools)), pools::waker);
            opened.engine.mostAsking(mostAsking);
            if (options.handOff()) {
                opened.engine.handOffs(6, LONGEST_HAND_OFF);
            }
            return opened;
        }
    }

    /** The simulator's pools, for the engine. */
    private record GivenPools(Pools given) implements EngineThreads.Pools {
        @Override
        public Executor pool(String purpose, int most) {
            return given.pool(purpose, most);
        }

        @Override
        public boolean onTimer() {
            return given.onTimer();
        }
    }

    private static Map<Transition, LongAdder> counters() {
        Map<Transition, LongAdder> all = new EnumMap<>(Transition.class);
        for (Transition row : Transition.values()) {
            all.put(row, new LongAdder());
        }
        return all;
    }

    private static LongAdder counter(Transition row) {
        return Objects.requireNonNull(TAKEN.get(row));
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public LockClient client() {
        return client;
    }

    @Override
    public boolean answered() {
        return engine.answered();
    }

    @Override
    public SteppedCall<Optional<Lease>> acquire(String name, LockOptions options, Share share, Duration wait) {
        requireOpen(new LockName(name));
        return new SteppedUserCall<>(
                context,
                () -> new SteppedAcquisition(
                        engine,
                        DistributedLock.sharing(context, new LockName(name), options, share),
                        context.terms(options).withShare(share),
                        Nanos.of(wait),
                        waker.get()));
    }

    private void requireOpen(LockName name) {
        if (engine.closing()) {
            throw context.closedException(name);
        }
    }

    @Override
    public SteppedCall<ReleaseResult> release(Lease lease) {
        return new SteppedUserCall<>(context, () -> new SteppedRelease(control(lease), waker.get()));
    }

    @Override
    public SteppedCall<?> extend(Lease lease, Duration longer) {
        lease.ensureHeld();
        UnaryOperator<Renewal> rest = renewal -> {
            if (renewal instanceof Renewal.Unknown unknown) {
                throw ClientContext.failed(
                        "could not confirm the extension", unknown.why(), new LockName(lease.name()));
            }
            lease.ensureHeld();
            return renewal;
        };
        return new SteppedAnswer<>(control(lease).beginExtension(longer), rest, "could not confirm the extension");
    }

    @Override
    public ReentrantDistributedLock asReentrantLock(String name, LockOptions options) {
        return new ReentrantDistributedLock(
                client.lock(name, options), new LockName(name), options, holds, Share.EXCLUSIVE);
    }

    @Override
    public <T> T asThread(int thread, Supplier<T> call) {
        caller = IdleThreads.get(thread);
        return call.get();
    }

    @Override
    public SteppedCall<Boolean> lock(ReentrantDistributedLock view, LockOptions options, int thread, Duration wait) {
        if (asThread(thread, view::reentered)) {
            throw new IllegalStateException("thread " + thread + " has locked already");
        }
        return new SteppedLock(
                acquire(view.name(), options, Share.EXCLUSIVE, wait),
                lease -> asThread(thread, () -> view.began(lease)));
    }

    @Override
    public boolean holds(Lease lease) {
        LeaseControl control = control(lease);
        return state.holds(control.lease());
    }

    @Override
    public SteppedCall<?> raiseTokenFloor(String name, long token) {
        requireOpen(new LockName(name));
        TokenFloor floor = engine.tokenFloor().orElseThrow();
        return new SteppedAnswer<>(
                engine.beginRaising(floor, new LockName(name), token),
                UnaryOperator.identity(),
                "could not raise the floor");
    }

    private static LeaseControl control(Lease lease) {
        try {
            return (LeaseControl) CONTROL.get(lease);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public @Nullable KeptLock kept(String name) {
        return grants.kept(name, engine.now());
    }

    @Override
    public @Nullable HolderId holder(String name) {
        return grants.holder(name);
    }

    @Override
    public long sinceItsEnd(Lease lost) {
        LeaseLife life = control(lost).life();
        return life.deadline() == life.cap() ? engine.now() - life.deadline() : Long.MAX_VALUE;
    }

    @Override
    public boolean knowsOfLoss(Lease released) {
        return released.loss() != null;
    }

    @Override
    public Runnable whenCutShort(Lease lease, Runnable interrupt) {
        return lease.whenCutShort(interrupt);
    }

    @Override
    public Lease leaseOf(Term term) {
        return term.lease();
    }

    @Override
    public void workInSteps(Consumer<SteppedWork> started) {
        engine.threads().startWorkBy((name, work) -> started.accept(new SteppedTermWork((TermWork) work)));
    }

    @Override
    public void beginClosing(LeaderElection election) {
        ((Candidate) election).beginClosing();
    }

    @Override
    public boolean ended(LeaderElection election) {
        return ((Candidate) election).ended();
    }

    @Override
    public void beginClosingElections() {
        context.elections.beginClosing();
    }

    @Override
    public boolean idle() {
        return engine.settled();
    }

    private void took(Transition row) {
        counter(row).increment();
        changed = true;
        if (rowsLeft > 0 && --rowsLeft == 0) {
            onBreak.run();
            throw new SimulatedError();
        }
    }

    @Override
    public boolean failed() {
        return engine.failure() != null;
    }

    @Override
    public void breakingAfter(int rows, Runnable before, Runnable task) {
        rowsLeft = rows;
        onBreak = before;
        try {
            task.run();
        } finally {
            rowsLeft = 0;
        }
    }

    /** A change without a row, such as a new observer, counts with the next row. */
    @Override
    public long state() {
        long now = engine.now();
        if (changed || now != stateAt) {
            changed = false;
            stateAt = now;
            stateHash = state.at(now);
        }
        return stateHash;
    }

    @Override
    public void beginClosing() {
        engine.beginClosing();
    }

    @Override
    public void leave() {
        engine.leave();
    }

    @Override
    public void giveEverythingBack() {
        closesBy = engine.now() + LONGEST_CLOSING;
        engine.giveEverythingBack();
    }

    @Override
    public boolean settled() {
        return engine.settled();
    }

    @Override
    public boolean closed() {
        if (!closed && (engine.settled() || engine.now() >= closesBy)) {
            closed = true;
            engine.end();
        }
        return closed;
    }
}
