package io.hasp.simulator;

import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.SimulatedExecutor;
import io.hasp.simulator.clients.SimulatedThread;
import io.hasp.simulator.network.SimulatedBackend;
import io.hasp.simulator.network.SimulatedBackend.Subscription;
import io.hasp.simulator.server.ServerGrant;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/** The faults of clients, their threads and the server. {@code MessageFaults} has the faults of messages. */
enum Fault {
    PAUSE {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = someKeeper(run);
            long nanos = (LEASE_NANOS / 8) << run.world.choices.below(5);
            run.world.note("c" + client.index + " is paused for " + millis(nanos) + " ms");
            client.backend.pausedUntil = Math.max(client.suspendedUntil, run.world.now() + nanos);
            // A grant that came too late to be of use counts as a failure.
            run.world.expectFailures();
            client.disturb();
        }
    },
    /** A thread that could go on does not, while the rest of its client does. */
    LATE_THREAD {
        @Override
        void happen(SimulationRun run) {
            List<SimulatedCaller> ready = run.clients.stream()
                    .flatMap(client -> client.callers.stream())
                    .filter(SimulatedCaller::ready)
                    .toList();
            if (!ready.isEmpty()) {
                SimulatedCaller caller = ready.get(run.world.choices.below(ready.size()));
                long nanos = (LEASE_NANOS / 8) << run.world.choices.below(4);
                run.world.note("the thread of " + caller + " does not run for " + millis(nanos) + " ms");
                caller.thread.suspendedUntil = run.world.now() + nanos;
                run.world.expectFailures();
                caller.client.disturb();
            }
        }
    },
    REFUSED_TASKS {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            client.executor.mode = SimulatedExecutor.Mode.of(run.world.choices, run.world.configuration);
            run.world.note("the executor of c" + client.index + " " + client.executor.mode);
            client.disturb();
        }
    },
    CUT {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            client.backend.cut ^= true;
            run.world.note("c" + client.index + (client.backend.cut ? " is cut off" : " is connected again"));
        }
    },
    OUTAGE {
        @Override
        void happen(SimulationRun run) {
            run.network.outage ^= true;
            run.world.note("the server refuses everything: " + run.network.outage);
        }
    },
    /** The server sends a signal without a reason. */
    SIGNAL {
        @Override
        void happen(SimulationRun run) {
            run.world.expectFailures();
            SimulatedClient client = some(run);
            signal(run, client, client.backend::signalled);
        }
    },
    /** An administrator ends a grant. The clients may be notified. */
    REVOKE {
        @Override
        void happen(SimulationRun run) {
            String name = run.world.name(run.world.choices.below(run.world.configuration.names()));
            boolean notified = run.world.choices.below(2) == 1;
            ServerGrant ended = run.server.revoke(new LockName(name));
            if (ended != null) {
                run.world.note("an administrator ends the grant of " + name);
                if (notified) {
                    run.clients.forEach(client -> client.backend.signalled(ended.holder(), Signal.LOST));
                }
            }
        }
    },
    FORGET {
        @Override
        void happen(SimulationRun run) {
            run.world.note("the server forgets everything");
            run.server.forget();
            run.checks.tokens.floorsForgotten();
        }
    },
    /** An error ends a client: in its next request, in the next answer, or while it handles a timer, a message or a signal. */
    ERROR {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            if (client.closed) {
                return;
            }
            int where = run.world.choices.below(4);
            if (where > 1) {
                client.backend.breaksIn = where == 2 ? SimulatedBackend.Part.REQUEST : SimulatedBackend.Part.ANSWER;
                return;
            }
            // It may receive a signal without a reason, and go on.
            run.world.expectFailures();
            client.disturb();
            client.driver.breakingAfter(
                    1 + run.world.choices.below(4),
                    client::breaks,
                    () -> SimulatedThread.runContained(() -> {
                        Runnable timer = client.timing.isDue() ? client.timing.take() : null;
                        if (timer != null) {
                            run.threads.withoutBlocking(timer);
                        } else if (!client.backend.isPaused() && run.world.choices.oneIn(3)) {
                            signal(run, client, client.backend::hear);
                        } else {
                            run.network.deliverOne(1);
                        }
                    }));
        }
    },
    /** The connection on which a client receives recalls is lost, or there again; the client may notice the loss at once or later. */
    DEAF {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            Subscription[] all = Subscription.values();
            Subscription now = all[run.world.choices.below(all.length)];
            if (!client.backend.isPaused() && !client.closed) {
                run.world.note("the subscription of c" + client.index + " is " + now);
                client.backend.subscription(now);
            }
        }
    },
    LATE_COPY {
        @Override
        void happen(SimulationRun run) {
            run.network.copyRefused();
        }
    },
    /** The machine of a client is suspended, while it keeps or holds something, and its clock stands still. */
    SUSPENSION {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = run.world.choices.below(2) == 0 ? someKeeper(run) : some(run);
            long nanos = Duration.ofMillis(1_500).toNanos() << run.world.choices.below(3);
            if (!client.backend.isPaused() && !client.closed) {
                run.world.note("the machine of c" + client.index + " is suspended for " + millis(nanos) + " ms");
                client.suspend(nanos);
            }
        }
    },
    /** The server breaks its contract: for a while it takes no new holder id. */
    NO_NEW_HOLDER {
        @Override
        void happen(SimulationRun run) {
            run.world.expectFailures();
            run.server.takesNoNewHolder(Duration.ofNanos((LEASE_NANOS / 8) << run.world.choices.below(5)));
            run.world.note("the server takes no new holder for a while");
        }
    };

    private static final long LEASE_NANOS = Configuration.LEASE.toNanos();

    /** The simplest first. */
    private static final Fault[] BY_CHANCE = {
        PAUSE,
        SIGNAL,
        SIGNAL,
        CUT,
        CUT,
        CUT,
        OUTAGE,
        REFUSED_TASKS,
        REFUSED_TASKS,
        REVOKE,
        FORGET,
        PAUSE,
        REVOKE,
        ERROR,
        LATE_THREAD,
        LATE_THREAD
    };

    /** For runs in which threads are simulated. */
    private static final Fault[] TO_THREADS = {SIGNAL, CUT, CUT, OUTAGE, REFUSED_TASKS, REFUSED_TASKS, REVOKE, PAUSE};

    /** For clients that keep grants. */
    private static final Fault[] TO_KEEPERS = {DEAF, DEAF, SUSPENSION, PAUSE, LATE_COPY};

    static Fault of(ChoiceSequence choices, Configuration configuration) {
        if (configuration.hasThreads()) {
            return TO_THREADS[choices.below(TO_THREADS.length)];
        }
        if (configuration.keeps() && choices.oneIn(3)) {
            return TO_KEEPERS[choices.below(TO_KEEPERS.length)];
        }
        return configuration.broken() && choices.oneIn(4) ? NO_NEW_HOLDER : BY_CHANCE[choices.below(BY_CHANCE.length)];
    }

    abstract void happen(SimulationRun run);

    private static void signal(SimulationRun run, SimulatedClient client, BiConsumer<HolderId, Signal> to) {
        List<HolderId> listening = client.backend.listening();
        if (!listening.isEmpty()) {
            HolderId holder = listening.get(run.world.choices.below(listening.size()));
            Signal[] signals = {Signal.SUSPECT, Signal.RESTORED, Signal.MAYBE_FREE, Signal.WANTED};
            to.accept(holder, signals[run.world.choices.below(signals.length)]);
        }
    }

    private static SimulatedClient some(SimulationRun run) {
        return run.clients.get(run.world.choices.below(run.clients.size()));
    }

    /** One that keeps something without a use, if there is one. */
    private static SimulatedClient someKeeper(SimulationRun run) {
        List<SimulatedClient> keepers = run.clients.stream()
                .filter(client -> run.checks.keeps.keepsAny(client))
                .toList();
        return keepers.isEmpty() ? some(run) : keepers.get(run.world.choices.below(keepers.size()));
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }
}
