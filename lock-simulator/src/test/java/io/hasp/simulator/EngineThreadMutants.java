package io.hasp.simulator;

import java.util.List;
import java.util.stream.Stream;

/** Faults in the choice of threads, in the order of an interrupt, and in what a caller or the timer does for others. */
final class EngineThreadMutants {
    private static final String DRIVER = "engine/LockDriver.java";
    private static final String THREADS = "engine/EngineThreads.java";

    private EngineThreadMutants() {}

    static List<Mutant> all() {
        return Stream.of(ofEffects(), ofUserCode(), ofInterrupts())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Mutant> ofEffects() {
        return List.of(
                new Mutant(
                        "threads: a caller starts what comes for others",
                        DRIVER,
                        "(onTimer || turn >= most) && passesOn()",
                        "onTimer && passesOn()"),
                new Mutant(
                        "threads: the timer starts what users notice",
                        DRIVER,
                        "            if (onTimer && !EffectStarter.unnoticed(effect)) {\n                return null;\n            }\n",
                        ""));
    }

    private static List<Mutant> ofUserCode() {
        return List.of(
                new Mutant(
                        "threads: the log is written where a line is logged",
                        "spi/LogQueue.java",
                        "            thread.execute(() -> write(level, line, thrown));\n",
                        "            write(level, line, thrown);\n"),
                new Mutant(
                        "threads: the program's executor is called on the engine's threads",
                        "engine/LosslessExecutor.java",
                        "            if (between == null) {\n",
                        "            if (true) {\n"),
                new Mutant(
                        "threads: a listener is called on the engine's threads",
                        "ListenerQueue.java",
                        "nonBlocking && pending.get() == 0 && UserThread.isCurrent()",
                        "nonBlocking"),
                new Mutant(
                        "threads: an observer is called under the driver's lock",
                        DRIVER,
                        "    void observe(HeldLease lease,",
                        "    synchronized void observe(HeldLease lease,"),
                new Mutant(
                        "threads: leases are renewed on the program's executor",
                        THREADS,
                        "renewals = own(\"renewal\", MOST_RENEWALS);\n            interrupts = own(\"interrupt\", MOST);\n        } else {",
                        "renewals = requests;\n            interrupts = own(\"interrupt\", MOST);\n        } else {"));
    }

    private static List<Mutant> ofInterrupts() {
        return List.of(
                new Mutant(
                        "threads: work is interrupted where observers run",
                        "Lease.java",
                        "new LossTasks.Task(client.engine.threads().interrupts, task, true)",
                        "new LossTasks.Task(client.engine.threads().notices, task, true)"),
                new Mutant(
                        "threads: the lease is withdrawn before its work is interrupted",
                        "engine/LeaseSteps.java",
                        "(lease.observed() || lease.stopsWork())",
                        "lease.observed()"),
                new Mutant(
                        "threads: interrupted work has no time to stop",
                        "engine/LeaseSteps.java",
                        "lease.toldBy > 0 && lease.stopping && !lease.returned",
                        "lease.toldBy > Long.MAX_VALUE - 1"));
    }
}
