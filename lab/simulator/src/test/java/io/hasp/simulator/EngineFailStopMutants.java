package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in the ending of a client that an error has ended, each against one of the sentences of decision 39. */
final class EngineFailStopMutants {
    private static final String DRIVER = "engine/driver/LockDriver.java";
    private static final String ENGINE = "engine/LockEngine.java";
    private static final String LEASE_STEPS = "engine/machine/LeaseSteps.java";
    private static final String SERVICES = "engine/driver/SharedServices.java";

    private EngineFailStopMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "fail-stop: a machine that breaks ends nothing",
                        DRIVER,
                        "            services.failStop.fail(broken);\n            return true;\n",
                        "            return true;\n"),
                new SourceMutant(
                        "fail-stop: an error of the backend is an outage",
                        SERVICES,
                        "            failStop.fail(error);\n",
                        ""),
                new SourceMutant(
                        "fail-stop: those that wait are left",
                        ENGINE,
                        "        services.calls.end(services.failStop.cause());\n",
                        ""),
                new SourceMutant(
                        "fail-stop: the backend stays open",
                        ENGINE,
                        "        LosslessExecutor.contained(services.backend::close);\n",
                        ""),
                new SourceMutant(
                        "fail-stop: observers hear of no loss",
                        DRIVER,
                        "        last.forEach(effectStarter::start);\n",
                        ""),
                new SourceMutant(
                        "fail-stop: a listener hears of no loss",
                        LEASE_STEPS,
                        "        if (lease.life().state() == LeaseLife.State.LOST && !lease.lossReported) {",
                        "        if (lease.life().state() == LeaseLife.State.HELD) {"));
    }
}
