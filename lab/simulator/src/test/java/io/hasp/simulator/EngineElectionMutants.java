package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in elections. */
final class EngineElectionMutants {
    private static final String DRIVER = "CandidateDriver.java";
    private static final String STATE = "CandidateState.java";

    private EngineElectionMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "election: a term outlives its lease",
                        "Term.java",
                        "        return state == LeaseState.LOST || state == LeaseState.RELEASED;",
                        "        return state == LeaseState.RELEASED;"),
                new SourceMutant(
                        "election: the lock is released before the end of the term is told",
                        DRIVER,
                        "        listeners.deliver();\n        if (!working) {\n            leaveFromAnywhere(ended);",
                        "        if (!working) {\n            leaveFromAnywhere(ended);"),
                new SourceMutant(
                        "election: the end of the term is seen after its lock is released",
                        STATE,
                        "        ending.resign();\n",
                        ""),
                new SourceMutant(
                        "election: a resignation releases nothing",
                        DRIVER,
                        "        ended.lease().giveBackAsync().whenComplete((released, none) -> {",
                        "        CompletableFuture.completedFuture(ended).whenComplete((released, none) -> {"),
                new SourceMutant(
                        "election: a candidate that resigned does not ask again",
                        STATE,
                        "        return workFailed ? Step.PAUSE : Step.ASK;",
                        "        return workFailed ? Step.PAUSE : Step.NOTHING;"),
                new SourceMutant(
                        "election: failed work is tried again without a pause",
                        STATE,
                        "        return workFailed ? Step.PAUSE : Step.ASK;",
                        "        return Step.ASK;"),
                new SourceMutant(
                        "election: a pause ends after close",
                        STATE,
                        "        return phase == Phase.NOT_JOINED || phase == Phase.PAUSING ? Step.END : Step.NOTHING;",
                        "        return phase == Phase.NOT_JOINED ? Step.END : Step.NOTHING;"),
                new SourceMutant(
                        "election: a resignation does not interrupt the work",
                        DRIVER,
                        "            working.stop();\n",
                        ""),
                new SourceMutant(
                        "election: work begins after its candidate resigned",
                        "TermWork.java",
                        "        worker = by;\n        return !stopped;",
                        "        worker = by;\n        return true;"),
                new SourceMutant(
                        "election: the lock is released before the work has ended",
                        DRIVER,
                        "        return working != null;",
                        "        return false;"));
    }
}
