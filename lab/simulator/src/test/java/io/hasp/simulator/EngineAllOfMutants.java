package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in calls for several locks. */
final class EngineAllOfMutants {
    private static final String ACQUISITION = "MultiAcquisition.java";

    private EngineAllOfMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "all of: locks are acquired in the caller's order",
                        "MultiLock.java",
                        ".map(lock -> checked(client, lock)).sorted(ORDER).toList();",
                        ".map(lock -> checked(client, lock)).toList();"),
                new SourceMutant(
                        "all of: what is behind a refused lock is kept",
                        ACQUISITION,
                        "        releaseBehind(missing);\n",
                        ""),
                new SourceMutant(
                        "all of: a call that is refused keeps what it has",
                        ACQUISITION,
                        "        releaseBehind(-1);\n        End last",
                        "        End last"),
                new SourceMutant(
                        "all of: a lease that arrives after the cancel is kept",
                        ACQUISITION,
                        "                asked.abandon();\n",
                        "                assert asked != null;\n"),
                new SourceMutant(
                        "all of: a cancelled call goes on",
                        "MultiAcquirer.java",
                        "                acquisition.abandon();\n            }\n        });",
                        "                assert promise.isDone();\n            }\n        });"),
                new SourceMutant(
                        "all of: the others stay when one is lost",
                        "MultiHold.java",
                        "                if (lease.lease().alive()) {\n",
                        "                if (lease.lease().loss() != null) {\n"));
    }
}
