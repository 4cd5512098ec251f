package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in what the engine does with grants that it keeps, each against one of the rules of decision 22. */
final class EngineKeepMutants {
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String KEPT = "engine/lease/KeptGrant.java";
    private static final String KEEP_STEPS = "engine/machine/KeepSteps.java";
    private static final String ATTEMPT_STEPS = "engine/machine/AttemptSteps.java";
    private static final String RELEASE_STEPS = "engine/machine/ReleaseSteps.java";
    private static final String LEASE_STEPS = "engine/machine/LeaseSteps.java";
    private static final String CLOSE_STEPS = "engine/machine/CloseSteps.java";

    private EngineKeepMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "keep 1: a reuse moves the deadline",
                        LEASE,
                        "        LeaseLife began = renewal.begins(next.cap(now));\n",
                        "        if (inARow == 0) {\n            renewal.confirmed(now, new io.hasp.spi.Renewal.Renewed(grant.validity()));\n        }\n        LeaseLife began = renewal.begins(next.cap(now));\n"),
                new SourceMutant(
                        "keep 2: a reuse does not look at the deadline",
                        KEPT,
                        "return last.mayHaveSuccessor(now)\n                && Math",
                        "return Math"),
                new SourceMutant(
                        "keep 3: a reuse has the token of the last lease",
                        LEASE,
                        "settings, since, index + 1, inARow",
                        "settings, since, inARow == 0 ? index : index + 1, inARow"),
                new SourceMutant(
                        "keep 5: a recall in use is forgotten",
                        LEASE_STEPS,
                        "            case WANTED -> wanted(lock, lease);\n",
                        "            case WANTED -> lock.took(Transition.SIGNAL_IGNORED);\n"),
                new SourceMutant(
                        "keep 5: a recall in use is forgotten at the hand-off",
                        LEASE,
                        "        successor.wanted = wanted;\n",
                        ""),
                new SourceMutant(
                        "keep 5: a recall before the grant is forgotten",
                        ATTEMPT_STEPS,
                        "            if (contender.wanted()) {",
                        "            if (false) {"),
                new SourceMutant(
                        "keep 6: a grant of which the server was told that it is not kept is kept",
                        LEASE,
                        "return recallable && !wanted && undoubted(now);",
                        "return recallable && undoubted(now);"),
                new SourceMutant(
                        "keep 6: the server is not told that a grant is in use",
                        LEASE,
                        "        if (grant.claim().keeps()) {\n            renewal.lower(now);\n        }\n",
                        ""),
                new SourceMutant(
                        "keep 7: a recall of an idle grant is ignored",
                        KEEP_STEPS,
                        "                kept.keeping.recalledIdle(lock.name);\n                end(lock, kept);\n",
                        "                kept.keeping.recalledIdle(lock.name);\n"),
                new SourceMutant(
                        "keep 7: doubt about an idle grant is ignored",
                        KEEP_STEPS,
                        "                lock.took(Transition.KEPT_DOUBTED);\n                end(lock, kept);\n",
                        "                lock.took(Transition.KEPT_DOUBTED);\n"),
                new SourceMutant(
                        "keep 9: a grant that can't be recalled is kept",
                        ATTEMPT_STEPS,
                        "        if (recallable) {\n            lease.recallable();",
                        "        if (lease.grant.claim().keeps()) {\n            lease.recallable();"),
                new SourceMutant(
                        "keep 10: a try believes that a lock which is kept is busy",
                        ATTEMPT_STEPS,
                        "long pause = answer.recalled() ? untilNextTry(lock, contender, pollAfter) : 0;",
                        "long pause = 0;"),
                new SourceMutant(
                        "keep 11: a recalled late grant stays",
                        ATTEMPT_STEPS,
                        "            lock.releases.releaseOnce(claim);\n",
                        ""),
                new SourceMutant(
                        "keep 12: a grant that is given back for another request stays kept",
                        RELEASE_STEPS,
                        "        transfer(lock, kept.last, contender, new ReleaseCall(contender.executor));\n        KeepSteps.forget(lock, kept);\n",
                        "        transfer(lock, kept.last, contender, new ReleaseCall(contender.executor));\n"),
                new SourceMutant(
                        "keep: a suspension is not noticed",
                        KEPT,
                        "\n                && Math.abs(keeping.clockDifference() - last.renewal.clockDifference()) <= CLOCKS_AGREE",
                        ""),
                new SourceMutant(
                        "keep: a suspension before the release is not noticed",
                        KEPT,
                        "        this.until = until;\n",
                        "        this.until = until;\n        last.renewal.grantedAt(keeping.clockDifference());\n"),
                new SourceMutant(
                        "keep: a grant is kept for good",
                        KEEP_STEPS,
                        "        if (lock.kept == kept && lock.now >= kept.until - lock.settings.keep() / TOGETHER) {",
                        "        if (false) {"),
                new SourceMutant(
                        "keep: closing leaves what is kept",
                        CLOSE_STEPS,
                        "        if (lock.kept != null) {\n            KeepSteps.end(lock, lock.kept);\n        }\n    }\n\n    static void leave",
                        "    }\n\n    static void leave"),
                new SourceMutant(
                        "keep: a grant whose renewal is unanswered is kept",
                        LEASE,
                        "return recallable && !wanted && undoubted(now);",
                        "return recallable && !wanted && mayHaveSuccessor(now);"));
    }
}
