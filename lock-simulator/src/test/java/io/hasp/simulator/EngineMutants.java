package io.hasp.simulator;

import java.util.List;

/** The faults that are put into the engine, each by a change of its source. */
final class EngineMutants {
    private static final String MACHINE = "engine/LockMachine.java";
    private static final String STATE = "engine/LockState.java";
    private static final String ATTEMPT_STEPS = "engine/AttemptSteps.java";
    private static final String RELEASE_STEPS = "engine/ReleaseSteps.java";
    private static final String WAIT_STEPS = "engine/WaitSteps.java";
    private static final String LEASE_STEPS = "engine/LeaseSteps.java";
    private static final String DRIVER = "engine/LockDriver.java";
    private static final String EFFECTS = "engine/EffectStarter.java";
    private static final String CONTENDER = "engine/Contender.java";
    private static final String LEASE = "engine/HeldLease.java";

    private EngineMutants() {}

    /** Faults of decisions: those that earlier engines had, and their like. */
    static List<Mutant> ofDecisions() {
        return List.of(
                new Mutant(
                        "a transfer takes a claim that was sent",
                        RELEASE_STEPS,
                        "if (next != null && !next.everSent()) {",
                        "if (next != null && !next.inFlight()) {"),
                new Mutant(
                        "a task whose thread does not start is dropped",
                        "engine/LosslessExecutor.java",
                        "            tryLater(task);\n",
                        ""),
                new Mutant(
                        "close does not give the lease back",
                        MACHINE,
                        "            ReleaseSteps.givenBack(lock, lock.holder, new ReleaseCall(executor));\n",
                        ""),
                new Mutant("close does not wait for releases", STATE, "                && releasing == 0\n", ""),
                new Mutant("close does not wait for what is owed", STATE, "                && owed.isEmpty();", ";"),
                new Mutant(
                        "a release that finds the lock gone says RELEASED to those who have a waiter",
                        RELEASE_STEPS,
                        "} else if (found == Released.RELEASED) {",
                        "} else if (found == Released.RELEASED || !lock.waiting.isEmpty()) {"),
                new Mutant(
                        "a withdrawal gives up at once",
                        STATE,
                        "new OwedRelease(claim, until)",
                        "new OwedRelease(claim, now - 1)"),
                new Mutant("news before the answer is dropped", CONTENDER, "            news = signal;\n", ""),
                new Mutant(
                        "a signal during a request is dropped",
                        CONTENDER,
                        "        signalled |= signal != Signal.SUSPECT;\n",
                        ""),
                new Mutant(
                        "LOST is not told to the lease",
                        LEASE_STEPS,
                        "                advance(lock, lease, new LeaseLife.Event.Denied(\"the backend reports that it is gone\"));\n",
                        ""),
                new Mutant(
                        "a grant is passed on while its renewal is unanswered",
                        LEASE,
                        "                && !renewing\n",
                        ""),
                new Mutant(
                        "a wait that is over when its caller sleeps never ends",
                        ATTEMPT_STEPS,
                        "        contender.watch();\n        timePassed(lock, contender);\n",
                        "        contender.watch();\n"),
                new Mutant(
                        "the deadline counts from the answer",
                        ATTEMPT_STEPS,
                        "long deadline = sentAt + validity",
                        "long deadline = lock.now + validity"),
                new Mutant(
                        "a successor ends with its predecessor's max hold",
                        LEASE,
                        "LeaseLife.held(confirmedUntil, next.cap(now), validity)",
                        "LeaseLife.held(life.deadline(), next.cap(now), validity)"),
                new Mutant(
                        "a confirmation counts from its answer",
                        LEASE,
                        "            confirmedUntil = Math.max(confirmedUntil, sentAt + more - Nanos.drift(more));",
                        "            confirmedUntil = Math.max(confirmedUntil, now + more - Nanos.drift(more));"),
                new Mutant(
                        "what a late answer leaves is not withdrawn",
                        ATTEMPT_STEPS,
                        "        if (left) {\n            lock.owe(contender.claim(), contender.claim().lease());\n        }\n",
                        ""),
                new Mutant(
                        "what may be on the server is not withdrawn",
                        WAIT_STEPS,
                        "        if (contender.mayBeOnServer()) {\n            lock.owe(contender.claim(), contender.claim().lease());\n        }\n        boolean first",
                        "        boolean first"),
                new Mutant(
                        "a grant of no use is not given back",
                        ATTEMPT_STEPS,
                        "        lock.owe(grant.claim(), grant.claim().lease());\n",
                        ""),
                new Mutant(
                        "a lost grant is believed",
                        ATTEMPT_STEPS,
                        "} else if (contender.news() == Signal.LOST) {",
                        "} else if (false) {"),
                new Mutant(
                        "a hand-off does not withdraw what its holder asked",
                        RELEASE_STEPS,
                        "        if (next.mayBeOnServer()) {\n            lock.owe(next.claim(), next.claim().lease());\n        }\n",
                        ""),
                new Mutant(
                        "the token of a hand-off does not grow",
                        LEASE,
                        "new HeldLease(grant, next, settings, grantedAt, handOffs + 1, now, began)",
                        "new HeldLease(grant, next, settings, grantedAt, handOffs, now, began)"),
                new Mutant(
                        "a raised floor does not end hand-offs",
                        RELEASE_STEPS,
                        " && lease.grant.token() > lock.tokenFloor) {",
                        ") {"),
                new Mutant(
                        "the next one is not called when a lease has ended",
                        LEASE_STEPS,
                        "        if (lock.holder == lease) {\n            lock.holder = null;\n            lock.askFirst();\n        }\n",
                        "        if (lock.holder == lease) {\n            lock.holder = null;\n        }\n"),
                new Mutant(
                        "the next one is not called when the first gives up",
                        WAIT_STEPS,
                        "        if (first && lock.holder == null) {\n            lock.askFirst();\n        }\n",
                        ""),
                new Mutant(
                        "an older lease is believed beside a newer grant",
                        RELEASE_STEPS,
                        "        if (older != null && older.alive()) {",
                        "        if (false) {"),
                new Mutant(
                        "a refusal is taken for the end of a wait",
                        ATTEMPT_STEPS,
                        "        if (contender.isOver(lock.now)) {\n            lock.took(Transition.REFUSED);",
                        "        if (true) {\n            lock.took(Transition.REFUSED);"),
                new Mutant(
                        "an outage is called contention",
                        ATTEMPT_STEPS,
                        "            lock.took(Transition.FAILED_TOO_LONG);\n            WaitSteps.fail(lock, contender, failure);",
                        "            lock.took(Transition.FAILED_TOO_LONG);\n            WaitSteps.contended(lock, contender);"),
                new Mutant(
                        "a driver retires while something is waited for",
                        DRIVER,
                        "!machine.idle()",
                        "machine.holder() != null"));
    }

    /** One for each event, which is dropped or told twice; a unit test takes {@code Extending}. */
    static List<Mutant> ofEvents() {
        return List.of(
                new Mutant(
                        "event Joined is dropped",
                        MACHINE,
                        "            AttemptSteps.joined(lock, e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Answered is dropped",
                        MACHINE,
                        "            AttemptSteps.answered(lock, e.contender(), e.sentAt(), e.attempt(), e.failure());\n",
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
                        "            LeaseSteps.extended(lock, e.lease(), e.sentAt(), e.asked());\n",
                        "            assert e != null;\n"),
                new Mutant("event Told is told twice", LEASE, "        toldBy = 0;\n        return", "        return"),
                new Mutant(
                        "event Closing is dropped",
                        MACHINE,
                        "            close(e.executor());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event GaveUp is dropped",
                        MACHINE,
                        "            WaitSteps.finish(lock, e.contender(), e.outcome());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event FloorRaised is dropped",
                        MACHINE,
                        "            lock.tokenFloor = Math.max(lock.tokenFloor, e.serverToken());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Closed is dropped", MACHINE, "        lock.closed = true;\n        for", "        for"));
    }

    /** One for each effect, which is dropped; two that come twice; and one for their order. */
    static List<Mutant> ofEffects() {
        return List.of(
                new Mutant(
                        "effect Acquire is dropped",
                        EFFECTS,
                        "                e.contender().executor.execute(requests.acquire(e.contender(), e.claim()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Complete is dropped",
                        EFFECTS,
                        "                e.contender().result.complete(e.outcome());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Release is dropped",
                        EFFECTS,
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect CompleteRelease is dropped",
                        EFFECTS,
                        "                e.call().result.complete(e.found());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Report is dropped",
                        EFFECTS,
                        "                services.notices.accept(e.notice());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Wake is dropped",
                        EFFECTS,
                        "                wake(e.subject());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Tell is dropped",
                        EFFECTS,
                        "                tell(e.lease(), e.awaited());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Transfer is dropped",
                        EFFECTS,
                        "                releaseCall(e.from()).executor.execute(requests.transfer(e.from(), e.contender(), e.claim()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Withdraw is dropped",
                        EFFECTS,
                        "                services.threads.requests.execute(requests.withdrawal(e.owed()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Withdraw comes twice",
                        EFFECTS,
                        "                services.threads.requests.execute(requests.withdrawal(e.owed()));\n",
                        "                services.threads.requests.execute(requests.withdrawal(e.owed()));\n                services.threads.requests.execute(() -> services.backend.release(e.owed().claim));\n"),
                new Mutant(
                        "effect Release comes twice",
                        EFFECTS,
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n",
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n                services.threads.requests.execute(() -> services.backend.release(e.lease().grant.claim()));\n"),
                new Mutant(
                        "effect Renew is dropped",
                        EFFECTS,
                        "                renewals.renew(e.lease());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect FailRelease is dropped",
                        EFFECTS,
                        "                e.call().result.completeExceptionally(e.failure());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effects are started in the opposite order",
                        DRIVER,
                        "Effect effect = batch.get(started++);",
                        "Effect effect = batch.get(batch.size() - 1 - started++);"));
    }
}
