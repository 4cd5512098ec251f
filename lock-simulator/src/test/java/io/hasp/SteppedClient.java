package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.LockEngine;
import io.hasp.engine.Nanos;
import io.hasp.engine.Outcome;
import io.hasp.engine.Terms;
import io.hasp.engine.Transition;
import io.hasp.engine.Turns;
import io.hasp.simulator.BlockingCall;
import io.hasp.simulator.ClientDriver;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockName;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;

/** A client whose blocking calls and closing are made one step at a time: what {@link DistributedLock} and the shutdown do. */
public final class SteppedClient implements ClientDriver {
    private static final long LONGEST_CLOSING = Duration.ofSeconds(5).toNanos();
    private static final Field CLIENT = clientField();

    /** How often each row of the engine's table was taken. */
    public static final Map<Transition, LongAdder> TAKEN = counters();

    private final LockClient client;
    private final ClientContext context;
    private final LockEngine engine;
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
        engine.trace(row -> counter(row).increment());
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

    private static Field clientField() {
        try {
            Field field = LockClient.class.getDeclaredField("client");
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
    public BlockingCall acquire(String name, LockOptions options, Duration wait) {
        if (engine.closing()) {
            throw ClientContext.closedException();
        }
        return new Stepped(client.lock(name, options), context.terms(options), Nanos.of(wait));
    }

    @Override
    public boolean knowsOfLoss(Lease released) {
        return released.loss() != null;
    }

    @Override
    public boolean idle() {
        return engine.settled();
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

    private final class Stepped implements BlockingCall, Turns {
        private final ArrayDeque<Turn> turns = new ArrayDeque<>();
        private final DistributedLock lock;
        private final Acquisition acquisition;
        private boolean left;
        private boolean rested;
        private boolean returned;

        Stepped(DistributedLock lock, Terms terms, long wait) {
            this.lock = lock;
            acquisition = engine.acquire(new LockName(lock.name()), terms, wait, this);
        }

        @Override
        public void take(Turn turn) {
            if (left) {
                turn.drop();
            } else {
                turns.add(turn);
            }
        }

        @Override
        public boolean ready() {
            return !returned && (acquisition.result().isDone() || !turns.isEmpty() || !rested);
        }

        @Override
        public boolean step() {
            if (!acquisition.result().isDone()) {
                Turn turn = turns.poll();
                if (turn != null) {
                    turn.run();
                } else if (!rested) {
                    rested = true;
                    acquisition.awaitElsewhere();
                }
                return false;
            }
            leave();
            return true;
        }

        private void leave() {
            returned = true;
            left = true;
            for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
                turn.drop();
            }
        }

        @Override
        public void interrupt() {
            leave();
            acquisition.abandon();
        }

        @Override
        public Optional<Lease> result() {
            Outcome outcome;
            try {
                outcome = acquisition.result().join();
            } catch (CompletionException e) {
                throw ClientContext.closedException();
            }
            return lock.lease(acquisition, outcome, List.of(), null);
        }
    }
}
