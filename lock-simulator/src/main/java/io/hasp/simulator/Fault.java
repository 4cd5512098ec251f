package io.hasp.simulator;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import java.util.List;

/** What goes wrong in the world beside its messages. */
enum Fault {
    PAUSE {
        @Override
        void happen(World world) {
            long lease = Configuration.LEASE.toNanos();
            world.pause(some(world), (lease / 8) << world.choices.below(5));
        }
    },
    LATE_THREAD {
        @Override
        void happen(World world) {
            List<Caller> ready = world.clients.stream()
                    .flatMap(client -> client.callers.stream())
                    .filter(Caller::ready)
                    .toList();
            if (!ready.isEmpty()) {
                long lease = Configuration.LEASE.toNanos();
                world.suspend(ready.get(world.choices.below(ready.size())), (lease / 8) << world.choices.below(4));
            }
        }
    },
    REFUSED_TASKS {
        @Override
        void happen(World world) {
            SimulatedClient client = some(world);
            ClientExecutor.Mode[] modes = ClientExecutor.Mode.values();
            client.executor.mode = modes[world.choices.below(modes.length)];
            world.noteFault("the executor of c" + client.index + " " + client.executor.mode);
            world.disturb(client);
        }
    },
    CUT {
        @Override
        void happen(World world) {
            SimulatedClient client = some(world);
            client.backend.cut ^= true;
            world.noteFault("c" + client.index + (client.backend.cut ? " is cut off" : " is connected again"));
        }
    },
    OUTAGE {
        @Override
        void happen(World world) {
            world.network.outage ^= true;
            world.noteFault("the server refuses everything: " + world.network.outage);
        }
    },
    SIGNAL {
        @Override
        void happen(World world) {
            SimulatedClient client = some(world);
            world.network.failing = true;
            List<HolderId> listening = client.backend.listening();
            if (!listening.isEmpty()) {
                HolderId holder = listening.get(world.choices.below(listening.size()));
                Signal[] signals = {Signal.SUSPECT, Signal.RESTORED, Signal.MAYBE_FREE};
                client.backend.signalled(holder, signals[world.choices.below(signals.length)]);
            }
        }
    },
    REVOKE {
        @Override
        void happen(World world) {
            world.revoke(world.choices.below(world.configuration.names()), world.choices.below(2) == 1);
        }
    },
    FORGET {
        @Override
        void happen(World world) {
            world.noteFault("the server forgets everything");
            world.server.forget();
            world.checks.tokens.floorsForgotten();
        }
    },
    NO_MEMORY {
        @Override
        void happen(World world) {
            SimulatedClient client = some(world);
            world.noteFault("c" + client.index + " runs out of memory");
            world.runOutOfMemory(client);
        }
    },
    NO_NEW_HOLDER {
        @Override
        void happen(World world) {
            world.network.failing = true;
            world.server.takesNoNewHolder(Configuration.LEASE.dividedBy(8).multipliedBy(1L << world.choices.below(5)));
            world.noteFault("the server takes no new holder for a while");
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

    static Fault of(Choices choices, boolean broken) {
        return broken && choices.oneIn(4) ? NO_NEW_HOLDER : BY_CHANCE[choices.below(BY_CHANCE.length)];
    }

    abstract void happen(World world);

    private static SimulatedClient some(World world) {
        return world.clients.get(world.choices.below(world.clients.size()));
    }
}
