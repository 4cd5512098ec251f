package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in elections. */
final class EngineElectionMutants {
    private static final String CANDIDATE = "Candidate.java";

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
                        CANDIDATE,
                        "        listeners.deliver();\n        if (working == null) {\n            leave(ended, null);\n        } else {",
                        "        if (working == null) {\n            leave(ended, null);\n        } else {"),
                new SourceMutant(
                        "election: the end of the term is seen after its lock is released",
                        CANDIDATE,
                        "        ending.resign();\n",
                        ""),
                new SourceMutant(
                        "election: a resignation releases nothing",
                        CANDIDATE,
                        "        ended.lease().giveBackAsync().whenComplete((released, none) -> {",
                        "        CompletableFuture.completedFuture(ended).whenComplete((released, none) -> {"),
                new SourceMutant(
                        "election: a candidate that resigned does not ask again",
                        CANDIDATE,
                        "            } else if (failure == null) {\n                ask();\n",
                        "            } else if (failure == null) {\n                assert !over;\n"));
    }
}
