package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in the decisions of the engine: faults of earlier engines, and similar ones. */
final class EngineDecisionMutants {
    private static final String CLOSE_STEPS = "engine/machine/CloseSteps.java";
    private static final String RELEASES = "engine/machine/PendingReleases.java";
    private static final String STATE = "engine/machine/LockState.java";
    private static final String ATTEMPT_STEPS = "engine/machine/AttemptSteps.java";
    private static final String RELEASE_STEPS = "engine/machine/ReleaseSteps.java";
    private static final String RELEASE_POLICY = "engine/machine/ReleasePolicy.java";
    private static final String WAIT_STEPS = "engine/machine/WaitEndSteps.java";
    private static final String LEASE_STEPS = "engine/machine/LeaseSteps.java";
    private static final String DRIVER = "engine/driver/LockDriver.java";
    private static final String CONTENDER = "engine/machine/Contender.java";
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String RENEWAL = "engine/lease/GrantRenewal.java";

    private EngineDecisionMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "a transfer takes a claim that was sent",
                        RELEASE_POLICY,
                        "return lock.leases.firstAsksForAll() && !next.everSent();",
                        "return !next.inFlight();"),
                new SourceMutant(
                        "a task whose thread does not start is dropped",
                        "engine/threads/LosslessExecutor.java",
                        "            } else {\n                tryLater(task);\n",
                        "            } else {\n"),
                new SourceMutant(
                        "close does not give the lease back",
                        CLOSE_STEPS,
                        "                ReleaseSteps.givenBack(lock, lease, new ReleaseCall(executor));\n",
                        ""),
                new SourceMutant(
                        "close does not wait for releases",
                        STATE,
                        "        return leases.isEmpty() && answered();",
                        "        return leases.all().stream().noneMatch(HeldLease::alive) && kept == null && queue.idle()\n                && leases.notifying == 0 && releases.pending.isEmpty();"),
                new SourceMutant(
                        "close does not wait for what is owed",
                        STATE,
                        "leases.notifying == 0 && releases.answered();",
                        "leases.notifying == 0 && releases.unanswered == 0;"),
                new SourceMutant(
                        "a release that finds the lock gone says RELEASED to those who have a waiter",
                        RELEASE_STEPS,
                        "} else if (found == Released.RELEASED) {",
                        "} else if (found == Released.RELEASED || !lock.queue.waiting.isEmpty()) {"),
                new SourceMutant(
                        "a withdrawal gives up at once",
                        RELEASES,
                        "new PendingRelease(claim, until, lock.now)",
                        "new PendingRelease(claim, lock.now - 1, lock.now)"),
                new SourceMutant("news before the answer is dropped", CONTENDER, "            news = signal;\n", ""),
                new SourceMutant(
                        "a signal during a request is dropped",
                        CONTENDER,
                        "        signalled |= signal != Signal.SUSPECT;\n",
                        ""),
                new SourceMutant(
                        "LOST is not told to the lease",
                        LEASE_STEPS,
                        "                advance(lock, lease, new LeaseLife.Event.Denied(\"the backend reports that it is gone\"));\n",
                        ""),
                new SourceMutant(
                        "a grant is passed on while its renewal is unanswered",
                        RENEWAL,
                        "doubt == null && !underWay;",
                        "doubt == null;"),
                new SourceMutant(
                        "a wait that is over when its caller sleeps never ends",
                        ATTEMPT_STEPS,
                        "        contender.watch();\n        timePassed(lock, contender);\n",
                        "        contender.watch();\n"),
                new SourceMutant(
                        "the deadline counts from the answer",
                        ATTEMPT_STEPS,
                        "long deadline = sentAt + validity",
                        "long deadline = lock.now + validity"),
                new SourceMutant(
                        "a successor ends with its predecessor's max hold",
                        LEASE,
                        "renewal.begins(next.cap(now))",
                        "LeaseLife.held(deadline, next.cap(now), Nanos.of(grant.validity()))"),
                new SourceMutant(
                        "a confirmation counts from its answer",
                        RENEWAL,
                        "        return ownConfirmed(sentAt, renewed);",
                        "            return confirmed(now, renewed);"),
                new SourceMutant(
                        "what a late answer leaves is not withdrawn",
                        ATTEMPT_STEPS,
                        "left ? lock.releases.withdraw(claim, claim.lease()) : null",
                        "null"),
                new SourceMutant(
                        "what may be on the server is not withdrawn",
                        WAIT_STEPS,
                        "        if (contender.mayBeOnServer()) {\n            lock.releases.withdraw(contender.claim(), contender.claim().lease());\n        }\n        if (contender.inFlight",
                        "        if (contender.inFlight"),
                new SourceMutant(
                        "a grant of no use is not given back",
                        ATTEMPT_STEPS,
                        "        lock.releases.withdraw(grant.claim(), grant.claim().lease());\n",
                        ""),
                new SourceMutant(
                        "a lost grant is believed",
                        ATTEMPT_STEPS,
                        "contender.news() == Signal.LOST || lock.leases.overtaken(grant)",
                        "lock.leases.overtaken(grant)"),
                new SourceMutant(
                        "a hand-off does not withdraw what its holder asked",
                        RELEASE_STEPS,
                        "        if (next.mayBeOnServer()) {\n            lock.releases.withdraw(next.claim(), next.claim().lease());\n        }\n",
                        ""),
                new SourceMutant(
                        "the token of a hand-off does not grow",
                        LEASE,
                        "new HeldLease(grant, next, settings, since, index + 1, inARow, now, now, began, ",
                        "new HeldLease(grant, next, settings, since, index, inARow, now, now, began, "),
                new SourceMutant(
                        "a raised floor does not end hand-offs",
                        RELEASE_POLICY,
                        "lease.handOffAllowed(lock.now) && lease.grant.token() > lock.tokenFloor;",
                        "lease.handOffAllowed(lock.now);"),
                new SourceMutant(
                        "the next one is not called when a lease has ended",
                        LEASE_STEPS,
                        "        if (lock.leases.remove(lease)) {\n            lock.askNext();\n        }\n",
                        "        lock.leases.remove(lease);\n"),
                new SourceMutant(
                        "the next one is not called when the first gives up",
                        WAIT_STEPS,
                        "        if (front) {\n            lock.askNext();\n        }\n",
                        ""),
                new SourceMutant(
                        "an older lease is believed beside a newer grant",
                        "engine/machine/ExclusiveLease.java",
                        "return holder != null && holder.alive() ?",
                        "return holder != null && !holder.alive() ?"),
                new SourceMutant(
                        "a refusal is taken for the end of a wait",
                        ATTEMPT_STEPS,
                        "else if (contender.isOver(lock.now)) {\n            lock.took(Transition.REFUSED);",
                        "else if (true) {\n            lock.took(Transition.REFUSED);"),
                new SourceMutant(
                        "a try is refused for what its own client gives back",
                        ATTEMPT_STEPS,
                        "boolean byOwn = contender.refusedByOwn();",
                        "boolean byOwn = false;"),
                new SourceMutant(
                        "who is refused for what its own client gives back is not told that it is gone",
                        ATTEMPT_STEPS,
                        "            if (contender.asksAgain()) {",
                        "            if (false) {"),
                new SourceMutant(
                        "a try is refused for a lease of its own client that is over",
                        STATE,
                        "List<Timed> given = new ArrayList<>(releases.pending);",
                        "List<Timed> given = new ArrayList<>();"),
                new SourceMutant(
                        "a try is refused for a lease of its own client that is told of its end",
                        STATE,
                        "if (lease != except && leases.isGivenUp(lease)) {",
                        "if (lease != except && leases.isGivenUp(lease) && (lease.alive() || lease.notifyUntil < 0)) {"),
                new SourceMutant(
                        "a try is refused for what its own client owes since an outage",
                        ATTEMPT_STEPS,
                        "        if (byOwn) {\n            WaitEndSteps.tryNow(lock, contender);",
                        "        if (byOwn) {\n            assert contender != null;"),
                new SourceMutant(
                        "an outage is called contention",
                        ATTEMPT_STEPS,
                        "            lock.took(Transition.FAILED_TOO_LONG);\n            WaitEndSteps.fail(lock, contender, failure);",
                        "            lock.took(Transition.FAILED_TOO_LONG);\n            WaitEndSteps.contended(lock, contender);"),
                new SourceMutant(
                        "a driver retires while something is waited for",
                        DRIVER,
                        "!machine.idle()",
                        "machine.holder() != null"));
    }
}
