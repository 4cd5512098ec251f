package io.hasp.simulator;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import java.util.List;

/** What goes wrong in the world beside its messages. */
enum Fault {
    PAUSE {
        @Override
        void happen(SimulationRun run) {
            long lease = Configuration.LEASE.toNanos();
            run.pause(some(run), (lease / 8) << run.choices.below(5));
        }
    },
    LATE_THREAD {
        @Override
        void happen(SimulationRun run) {
            List<SimulatedCaller> ready = run.clients.stream()
                    .flatMap(client -> client.callers.stream())
                    .filter(SimulatedCaller::ready)
                    .toList();
            if (!ready.isEmpty()) {
                long lease = Configuration.LEASE.toNanos();
                run.suspend(ready.get(run.choices.below(ready.size())), (lease / 8) << run.choices.below(4));
            }
        }
    },
    REFUSED_TASKS {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            SimulatedExecutor.Mode[] modes = SimulatedExecutor.Mode.values();
            client.executor.mode = modes[run.choices.below(modes.length)];
            run.noteFault("the executor of c" + client.index + " " + client.executor.mode);
            run.disturb(client);
        }
    },
    CUT {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            client.backend.cut ^= true;
            run.noteFault("c" + client.index + (client.backend.cut ? " is cut off" : " is connected again"));
        }
    },
    OUTAGE {
        @Override
        void happen(SimulationRun run) {
            run.network.outage ^= true;
            run.noteFault("the server refuses everything: " + run.network.outage);
        }
    },
    SIGNAL {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            run.failuresExpected = true;
            List<HolderId> listening = client.backend.listening();
            if (!listening.isEmpty()) {
                HolderId holder = listening.get(run.choices.below(listening.size()));
                Signal[] signals = {Signal.SUSPECT, Signal.RESTORED, Signal.MAYBE_FREE};
                client.backend.signalled(holder, signals[run.choices.below(signals.length)]);
            }
        }
    },
    REVOKE {
        @Override
        void happen(SimulationRun run) {
            run.revoke(run.choices.below(run.configuration.names()), run.choices.below(2) == 1);
        }
    },
    FORGET {
        @Override
        void happen(SimulationRun run) {
            run.noteFault("the server forgets everything");
            run.server.forget();
            run.checks.tokens.floorsForgotten();
        }
    },
    NO_MEMORY {
        @Override
        void happen(SimulationRun run) {
            SimulatedClient client = some(run);
            run.noteFault("c" + client.index + " runs out of memory");
            run.runOutOfMemory(client);
        }
    },
    NO_NEW_HOLDER {
        @Override
        void happen(SimulationRun run) {
            run.failuresExpected = true;
            run.server.takesNoNewHolder(Configuration.LEASE.dividedBy(8).multipliedBy(1L << run.choices.below(5)));
            run.noteFault("the server takes no new holder for a while");
        }
    };

    /** The plainest first. */
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
        NO_MEMORY,
        LATE_THREAD,
        LATE_THREAD
    };

    static Fault of(ChoiceSequence choices, boolean broken) {
        return broken && choices.oneIn(4) ? NO_NEW_HOLDER : BY_CHANCE[choices.below(BY_CHANCE.length)];
    }

    abstract void happen(SimulationRun run);

    private static SimulatedClient some(SimulationRun run) {
        return run.clients.get(run.choices.below(run.clients.size()));
    }
}
