package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;
import java.util.stream.Stream;

/** Faults in the choice of threads, in the order of an interrupt, and in what a caller or the timer does for others. */
final class EngineThreadMutants {
    private static final String DRIVER = "engine/driver/LockDriver.java";
    private static final String THREADS = "engine/threads/EngineThreads.java";

    private EngineThreadMutants() {}

    static List<SourceMutant> all() {
        return Stream.of(ofEffects(), ofUserCode(), ofInterrupts())
                .flatMap(List::stream)
                .toList();
    }

    private static List<SourceMutant> ofEffects() {
        return List.of(
                new SourceMutant(
                        "threads: a caller starts what comes for others",
                        DRIVER,
                        "(onTimer || turn >= most) && passesOn()",
                        "onTimer && passesOn()"),
                new SourceMutant(
                        "threads: the timer starts what users notice",
                        DRIVER,
                        "            if (onTimer && !EffectStarter.unnoticed(effect)) {\n                return null;\n            }\n",
                        ""),
                new SourceMutant(
                        "threads: a caller that starts effects calls the program's executor",
                        DRIVER,
                        "if (executorCalls != NONE && effectStarter.callsPool(effect))",
                        "if (false)"));
    }

    private static List<SourceMutant> ofUserCode() {
        return List.of(
                new SourceMutant(
                        "threads: the log is written where a line is logged",
                        "spi/LogQueue.java",
                        "            thread.execute(() -> write(level, line, thrown));\n",
                        "            write(level, line, thrown);\n"),
                new SourceMutant(
                        "threads: the program's executor is called on the engine's threads",
                        "engine/threads/LosslessExecutor.java",
                        "            if (between == null) {\n",
                        "            if (true) {\n"),
                new SourceMutant(
                        "threads: a listener is called on the engine's threads",
                        "ListenerQueue.java",
                        "nonBlocking && pending.get() == 0 && UserThread.isCurrent()",
                        "nonBlocking"),
                new SourceMutant(
                        "threads: an observer is called under the driver's lock",
                        DRIVER,
                        "    public void observe(HeldLease lease,",
                        "    public synchronized void observe(HeldLease lease,"),
                new SourceMutant(
                        "threads: leases are renewed on the program's executor",
                        THREADS,
                        "renewals = own(\"renewal\", MOST_RENEWALS);\n            interrupts = own(\"interrupt\", MOST);\n        } else {",
                        "renewals = requests;\n            interrupts = own(\"interrupt\", MOST);\n        } else {"));
    }

    private static List<SourceMutant> ofInterrupts() {
        return List.of(
                new SourceMutant(
                        "threads: work is interrupted where observers run",
                        "Lease.java",
                        "new LossTasks.Task(client.engine.threads().interrupts, task, true)",
                        "new LossTasks.Task(client.engine.threads().notices, task, true)"),
                new SourceMutant(
                        "threads: the lease is withdrawn before its work is interrupted",
                        "engine/machine/LeaseSteps.java",
                        "(lease.observed() || lease.stopsWork())",
                        "lease.observed()"),
                new SourceMutant(
                        "threads: interrupted work has no time to stop",
                        "engine/machine/LeaseSteps.java",
                        "lease.notifyUntil > 0 && lease.stopping && !lease.returned",
                        "lease.notifyUntil > Long.MAX_VALUE - 1"));
    }
}
