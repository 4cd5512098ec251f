package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in events of the engine: each is dropped or told twice. A unit test takes the event {@code Extending}. */
final class EngineEventMutants {
    private static final String MACHINE = "engine/machine/LockMachine.java";
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String RENEWAL = "engine/lease/GrantRenewal.java";
    private static final String STATE = "engine/machine/LockState.java";

    private EngineEventMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "event Joined is dropped",
                        MACHINE,
                        "            AttemptSteps.joined(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Answered is dropped",
                        MACHINE,
                        "            answered(e);\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event GivenBack is dropped",
                        MACHINE,
                        "            ReleaseSteps.givenBack(lock, e.lease(), e.call());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event ReleaseAnswered is dropped",
                        MACHINE,
                        "            ReleaseSteps.releaseAnswered(lock, e.lease(), e.found(), e.failure());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Slept is dropped",
                        MACHINE,
                        "            AttemptSteps.slept(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event TimePassed is dropped",
                        MACHINE,
                        "            timePassed(e.subject());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Signalled is dropped",
                        MACHINE,
                        "            AttemptSteps.signalled(lock, e.contender(), e.holder(), e.signal());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Renewed is dropped",
                        MACHINE,
                        "            LeaseSteps.renewed(lock, e.lease(), e.sentAt(), e.renewal());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Dropped is dropped",
                        MACHINE,
                        "            AttemptSteps.dropped(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event OwedAnswered is dropped",
                        MACHINE,
                        "            lock.owedAnswered(e.owed(), e.failure());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Extended is dropped",
                        MACHINE,
                        "            LeaseSteps.extended(lock, e);\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Told is told twice", LEASE, "        toldBy = 0;\n        return", "        return"),
                new SourceMutant(
                        "closing: the event is dropped",
                        MACHINE,
                        "            close(e.executor());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "closing: leases in use are given back",
                        MACHINE,
                        "            close(e.executor());\n",
                        "            giveEverythingBack(e.executor());\n"),
                new SourceMutant(
                        "closing: Leaving is dropped",
                        MACHINE,
                        "            lock.leasesHeld().forEach(lease -> LeaseSteps.leave(lock, lease));\n",
                        ""),
                new SourceMutant("closing: a lease that was left is renewed", RENEWAL, "        stopped = true;\n", ""),
                new SourceMutant(
                        "closing: a lease that was left is released when it is lost",
                        STATE,
                        "lease.staysFor(now) <= 0 && !lease.lostToWork()",
                        "lease.staysFor(now) <= 0"),
                new SourceMutant(
                        "event GivingEverythingBack is dropped",
                        MACHINE,
                        "            giveEverythingBack(e.executor());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event GaveUp is dropped",
                        MACHINE,
                        "            WaitEndSteps.finish(lock, e.contender(), e.outcome());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event FloorRaised is dropped",
                        MACHINE,
                        "            lock.tokenFloor = Math.max(lock.tokenFloor, e.serverToken());\n",
                        "            assert e != null;\n"),
                new SourceMutant(
                        "event Closed is dropped", MACHINE, "        lock.closed = true;\n        for", "        for"));
    }
}
