package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.EngineClosedException;
import io.hasp.engine.Failures;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.Nanos;
import io.hasp.engine.Outcome;
import io.hasp.engine.ReleaseCall;
import io.hasp.engine.Terms;
import io.hasp.engine.Transition;
import io.hasp.engine.Turns;
import io.hasp.simulator.BlockingCall;
import io.hasp.simulator.ClientDriver;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.TokenFloor;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A client whose blocking calls and closing are made one step at a time: what {@link DistributedLock} and the shutdown do. */
public final class SteppedClient implements ClientDriver {
    private static final long LONGEST_CLOSING = Duration.ofSeconds(5).toNanos();
    private static final Field CLIENT = field(LockClient.class, "client");
    private static final Field CONTROL = field(Lease.class, "control");

    /** How often each row of the engine's table was taken. */
    public static final Map<Transition, LongAdder> TAKEN = counters();

    private final LockClient client;
    private final ClientContext context;
    private final LockEngine engine;
    private final EngineState state;
    private boolean changed = true;
    private long stateAt;
    private long stateHash;
    private long closingSince;
    private boolean closed;

    private SteppedClient(LockClient client) {
        this.client = client;
        try {
            this.context = (ClientContext) CLIENT.get(client);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        this.engine = context.engine;
        this.state = new EngineState(engine);
        engine.trace(this::took);
    }

    /** Opens clients. */
    public static final class Opener implements Factory {
        /** Without arguments, so that it can be named. */
        public Opener() {}

        @Override
        public ClientDriver open(BackendSource source, ClientOptions options) {
            return new SteppedClient(LockClient.over(source, options));
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
    public BlockingCall<Optional<Lease>> acquire(String name, LockOptions options, Duration wait) {
        requireOpen();
        return new Acquiring(client.lock(name, options), context.terms(options), Nanos.of(wait));
    }

    private void requireOpen() {
        if (engine.closing()) {
            throw ClientContext.closedException();
        }
    }

    @Override
    public BlockingCall<ReleaseResult> release(Lease lease) {
        return new Releasing(control(lease));
    }

    @Override
    public BlockingCall<?> extend(Lease lease, Duration longer) {
        lease.ensureHeld();
        UnaryOperator<Renewal> rest = renewal -> {
            if (renewal instanceof Renewal.Unknown unknown) {
                throw ClientContext.unavailable("could not confirm the extension", unknown.why());
            }
            lease.ensureHeld();
            return renewal;
        };
        return new Awaiting<>(control(lease).beginExtension(longer), rest, "could not confirm the extension");
    }

    @Override
    public BlockingCall<?> raiseTokenFloor(String name, long token) {
        requireOpen();
        TokenFloor floor = engine.tokenFloor().orElseThrow();
        return new Awaiting<>(
                engine.beginRaising(floor, new LockName(name), token), done -> done, "could not raise the floor");
    }

    private static LeaseControl control(Lease lease) {
        try {
            return (LeaseControl) CONTROL.get(lease);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean knowsOfLoss(Lease released) {
        return released.loss() != null;
    }

    @Override
    public boolean idle() {
        return engine.settled();
    }

    private void took(Transition row) {
        counter(row).increment();
        changed = true;
    }

    /** What changes without a row, such as an observer more, counts with the next row. */
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
    public void close() {
        closingSince = engine.now();
        engine.beginClosing();
    }

    @Override
    public boolean closed() {
        if (!closed && (engine.settled() || engine.now() - closingSince >= LONGEST_CLOSING)) {
            closed = true;
            engine.end();
        }
        return closed;
    }

    /** The requests of one blocking call. */
    private static final class SteppedTurns implements Turns {
        private final ArrayDeque<Turn> turns = new ArrayDeque<>();
        private boolean left;

        @Override
        public void take(Turn turn) {
            if (left) {
                turn.drop();
            } else {
                turns.add(turn);
            }
        }

        boolean none() {
            return turns.isEmpty();
        }

        /** Makes the next request; false if there is none. */
        boolean run() {
            Turn turn = turns.poll();
            if (turn != null) {
                turn.run();
            }
            return turn != null;
        }

        void leave() {
            left = true;
            for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
                turn.drop();
            }
        }
    }

    /** Looks whether the client is open, then joins, then makes its requests, then sleeps. */
    private final class Acquiring implements BlockingCall<Optional<Lease>> {
        private final SteppedTurns turns = new SteppedTurns();
        private final DistributedLock lock;
        private final Terms terms;
        private final long wait;
        private @Nullable Acquisition acquisition;
        private boolean rested;
        private boolean returned;

        Acquiring(DistributedLock lock, Terms terms, long wait) {
            this.lock = lock;
            this.terms = terms;
            this.wait = wait;
        }

        @Override
        public boolean ready() {
            Acquisition begun = acquisition;
            return !returned && (begun == null || begun.result().isDone() || !turns.none() || !rested);
        }

        @Override
        public boolean step() {
            Acquisition begun = acquisition;
            if (begun == null) {
                acquisition = engine.acquire(new LockName(lock.name()), terms, wait, turns);
            } else if (begun.result().isDone()) {
                returned = true;
                turns.leave();
            } else if (!turns.run() && !rested) {
                rested = true;
                begun.awaitElsewhere();
            }
            return returned;
        }

        @Override
        public void interrupt() {
            returned = true;
            turns.leave();
            if (acquisition != null) {
                acquisition.abandon();
            }
        }

        @Override
        public Optional<Lease> result() {
            Acquisition ended = Objects.requireNonNull(acquisition);
            Outcome outcome;
            try {
                outcome = ended.result().join();
            } catch (CompletionException e) {
                throw ClientContext.closedException();
            }
            return lock.lease(ended, outcome, List.of(), null);
        }
    }

    /** As {@link Lease#release}. */
    private static final class Releasing implements BlockingCall<ReleaseResult> {
        private final SteppedTurns turns = new SteppedTurns();
        private final LeaseControl control;
        private final ReleaseCall call = new ReleaseCall(turns);
        private boolean rested;
        private boolean returned;

        Releasing(LeaseControl control) {
            this.control = control;
            control.giveBack(call);
        }

        @Override
        public boolean ready() {
            return !returned && (call.result.isDone() || !turns.none() || !rested);
        }

        @Override
        public boolean step() {
            if (call.result.isDone()) {
                returned = true;
                turns.leave();
            } else if (!turns.run() && !rested) {
                rested = true;
                control.track(call);
            }
            return returned;
        }

        @Override
        public ReleaseResult result() {
            try {
                return ReleaseResult.valueOf(call.result.join().name());
            } catch (CompletionException e) {
                throw translated("could not confirm the release", e);
            }
        }
    }

    /** Waits for an answer that came by a stage, and does the rest then. */
    private static final class Awaiting<T> implements BlockingCall<T> {
        private final CompletableFuture<T> answer;
        private final UnaryOperator<T> rest;
        private final String failed;
        private boolean returned;

        Awaiting(CompletionStage<T> answer, UnaryOperator<T> rest, String failed) {
            this.answer = answer.toCompletableFuture();
            this.rest = rest;
            this.failed = failed;
        }

        @Override
        public boolean ready() {
            return !returned && answer.isDone();
        }

        @Override
        public boolean step() {
            returned = answer.isDone();
            return returned;
        }

        @Override
        public T result() {
            try {
                return rest.apply(answer.join());
            } catch (CompletionException e) {
                throw translated(failed, e);
            }
        }
    }

    private static RuntimeException translated(String what, CompletionException thrown) {
        return thrown.getCause() instanceof EngineClosedException
                ? ClientContext.closedException()
                : ClientContext.unavailable(what, Failures.of(thrown));
    }
}
