package io.hasp.simulator;

import java.util.List;

/** Faults in events of the engine: each is dropped or told twice. A unit test takes the event {@code Extending}. */
final class EngineEventMutants {
    private static final String MACHINE = "engine/LockMachine.java";
    private static final String LEASE = "engine/HeldLease.java";
    private static final String RENEWAL = "engine/GrantRenewal.java";
    private static final String STATE = "engine/LockState.java";

    private EngineEventMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "event Joined is dropped",
                        MACHINE,
                        "            AttemptSteps.joined(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Answered is dropped",
                        MACHINE,
                        "            answered(e);\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event GivenBack is dropped",
                        MACHINE,
                        "            ReleaseSteps.givenBack(lock, e.lease(), e.call());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event ReleaseAnswered is dropped",
                        MACHINE,
                        "            ReleaseSteps.releaseAnswered(lock, e.lease(), e.found(), e.failure());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Slept is dropped",
                        MACHINE,
                        "            AttemptSteps.slept(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event TimePassed is dropped",
                        MACHINE,
                        "            timePassed(e.subject());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Signalled is dropped",
                        MACHINE,
                        "            AttemptSteps.signalled(lock, e.contender(), e.holder(), e.signal());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Renewed is dropped",
                        MACHINE,
                        "            LeaseSteps.renewed(lock, e.lease(), e.sentAt(), e.renewal());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Dropped is dropped",
                        MACHINE,
                        "            AttemptSteps.dropped(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event OwedAnswered is dropped",
                        MACHINE,
                        "            lock.owedAnswered(e.owed(), e.failure());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Extended is dropped",
                        MACHINE,
                        "            LeaseSteps.extended(lock, e);\n",
                        "            assert e != null;\n"),
                new Mutant("event Told is told twice", LEASE, "        toldBy = 0;\n        return", "        return"),
                new Mutant(
                        "closing: the event is dropped",
                        MACHINE,
                        "            close(e.executor());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "closing: leases in use are given back",
                        MACHINE,
                        "            close(e.executor());\n",
                        "            giveEverythingBack(e.executor());\n"),
                new Mutant(
                        "closing: Leaving is dropped",
                        MACHINE,
                        "            lock.leasesHeld().forEach(lease -> LeaseSteps.leave(lock, lease));\n",
                        ""),
                new Mutant("closing: a lease that was left is renewed", RENEWAL, "        stopped = true;\n", ""),
                new Mutant(
                        "closing: a lease that was left is released when it is lost",
                        STATE,
                        "lease.staysFor(now) <= 0 && !lease.lostToWork()",
                        "lease.staysFor(now) <= 0"),
                new Mutant(
                        "event GivingEverythingBack is dropped",
                        MACHINE,
                        "            giveEverythingBack(e.executor());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event GaveUp is dropped",
                        MACHINE,
                        "            WaitEndSteps.finish(lock, e.contender(), e.outcome());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event FloorRaised is dropped",
                        MACHINE,
                        "            lock.tokenFloor = Math.max(lock.tokenFloor, e.serverToken());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Closed is dropped", MACHINE, "        lock.closed = true;\n        for", "        for"));
    }
}
