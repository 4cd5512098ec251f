package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults of {@link io.hasp.ReentrantDistributedLock}. */
final class EngineReentrantLockMutants {
    private static final String VIEW = "ReentrantDistributedLock.java";
    private static final String HOLDS = "ThreadHolds.java";

    private EngineReentrantLockMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant("view: re-entry is not counted", VIEW, "        hold.again(share);\n", ""),
                new SourceMutant(
                        "view: re-entry stands on a lease that is lost",
                        VIEW,
                        "        if (state != LeaseState.HELD) {",
                        "        if (false) {"),
                new SourceMutant(
                        "view: re-entry with other options is ignored",
                        VIEW,
                        "        if (!options.equals(hold.options)) {",
                        "        if (false) {"),
                new SourceMutant(
                        "view: the first unlock of many releases",
                        VIEW,
                        "        if (hold.isLast()) {",
                        "        if (true) {"),
                new SourceMutant(
                        "view: the last unlock does not end the hold",
                        VIEW,
                        "            holds.end(name, share);\n            held &=",
                        "            held &="),
                new SourceMutant(
                        "view: an unlock that only counts does not tell of a loss",
                        VIEW,
                        "        } else if (hold.lessToReading(share)) {\n            held &= lowered(hold);\n        }\n",
                        "        } else {\n            hold.lessToReading(share);\n            return;\n        }\n"),
                new SourceMutant(
                        "view: an unlock does not tell what its release found",
                        VIEW,
                        "            held &= hold.lease().release() == ReleaseResult.RELEASED;\n",
                        "            assert hold.lease().release() != null;\n            hold.lease().close();\n"),
                new SourceMutant(
                        "view: a second lock takes the place of the first",
                        VIEW,
                        "        return reentered() || began(lock.tryAcquire());",
                        "        return began(lock.tryAcquire()) || reentered();"),
                new SourceMutant(
                        "view: any thread unlocks",
                        HOLDS,
                        "        return holds.get(Key.of(name, share, caller.get()));",
                        "        return holds.entrySet().stream()\n                .filter(each -> each.getKey().name().equals(name))\n                .map(Map.Entry::getValue)\n                .findFirst()\n                .orElse(null);"));
    }
}
