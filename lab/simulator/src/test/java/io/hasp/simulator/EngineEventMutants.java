package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in events of the engine: each is dropped or handled twice. A unit test takes the event {@code Extending}. */
final class EngineEventMutants {
    private static final String EVENT = "engine/machine/Event.java";
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String RENEWAL = "engine/lease/GrantRenewal.java";
    private static final String RELEASES = "engine/machine/PendingReleases.java";

    private EngineEventMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "event Joined is dropped",
                        EVENT,
                        "            AttemptSteps.joined(lock, contender);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Answered is dropped",
                        EVENT,
                        "            AttemptSteps.answered(lock, contender, request, sentAt, attempt, failure);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event GivenBack is dropped",
                        EVENT,
                        "            ReleaseSteps.givenBack(lock, lease, call);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event ReleaseAnswered is dropped",
                        EVENT,
                        "            ReleaseSteps.releaseAnswered(lock, lease, found, failure);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Slept is dropped",
                        EVENT,
                        "            AttemptSteps.slept(lock, contender);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event TimePassed is dropped",
                        EVENT,
                        "            if (subject instanceof Contender contender) {",
                        "            if (lock.now > 0) {\n                return;\n            }\n            if (subject instanceof Contender contender) {"),
                new SourceMutant(
                        "event Signalled is dropped",
                        EVENT,
                        "            AttemptSteps.signalled(lock, contender, holder, signal);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Renewed is dropped",
                        EVENT,
                        "            LeaseSteps.renewed(lock, lease, sentAt, renewal);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Dropped is dropped",
                        EVENT,
                        "            AttemptSteps.dropped(lock, contender);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event PendingReleaseAnswered is dropped",
                        EVENT,
                        "            lock.releases.answered(release, failure);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Extended is dropped",
                        EVENT,
                        "            LeaseSteps.extended(lock, lease, sentAt, asked, renewed, interruptions);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Notified is applied twice",
                        LEASE,
                        "        notifyUntil = 0;\n        return",
                        "        return"),
                new SourceMutant(
                        "closing: the event is dropped",
                        EVENT,
                        "            CloseSteps.close(lock, executor);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "closing: leases in use are given back",
                        EVENT,
                        "            CloseSteps.close(lock, executor);\n",
                        "            CloseSteps.giveEverythingBack(lock, executor);\n"),
                new SourceMutant(
                        "closing: Leaving is dropped",
                        EVENT,
                        "            CloseSteps.leave(lock);\n",
                        "            lock.took(Transition.LEAVING);\n"),
                new SourceMutant("closing: a lease that was left is renewed", RENEWAL, "        stopped = true;\n", ""),
                new SourceMutant(
                        "closing: a lease that was left is released when it is lost",
                        RELEASES,
                        "lease.staysFor(lock.now) <= 0 && !lease.lostToWork()",
                        "lease.staysFor(lock.now) <= 0"),
                new SourceMutant(
                        "event GivingEverythingBack is dropped",
                        EVENT,
                        "            CloseSteps.giveEverythingBack(lock, executor);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event GaveUp is dropped",
                        EVENT,
                        "            AttemptSteps.gaveUp(lock, contender, outcome);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event FloorRaised is dropped",
                        EVENT,
                        "            KeepSteps.floorRaised(lock, serverToken);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "event Closed is dropped", RELEASES, "        closed = true;\n        for", "        for"));
    }
}
