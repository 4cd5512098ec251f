package io.hasp.simulator;

import java.util.List;

/** The faults that are put into the engine, each by a change of its source. */
final class Mutants {
    private static final String MACHINE = "engine/LockMachine.java";
    private static final String DRIVER = "engine/LockDriver.java";
    private static final String CONTENDER = "engine/Contender.java";
    private static final String LEASE = "engine/HeldLease.java";

    private Mutants() {}

    /** Faults of decisions: those that earlier engines had, and their like. */
    static List<Mutant> ofDecisions() {
        return List.of(
                new Mutant(
                        "a transfer takes a claim that was sent",
                        MACHINE,
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
                        "            givenBack(holder, new ReleaseCall(turns));\n",
                        ""),
                new Mutant("close does not wait for releases", MACHINE, "                && releasing == 0\n", ""),
                new Mutant("close does not wait for what is owed", MACHINE, "                && owed.isEmpty();", ";"),
                new Mutant(
                        "a release that finds the lock gone says RELEASED to those who have a waiter",
                        MACHINE,
                        "} else if (found == Released.RELEASED) {",
                        "} else if (found == Released.RELEASED || !waiting.isEmpty()) {"),
                new Mutant(
                        "a withdrawal gives up at once",
                        MACHINE,
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
                        MACHINE,
                        "                advance(lease, new LeaseLife.Event.Denied(\"the backend reports that it is gone\"));\n",
                        ""),
                new Mutant(
                        "a grant is passed on while its renewal is unanswered",
                        LEASE,
                        "                && !renewing\n",
                        ""),
                new Mutant(
                        "a wait that is over when its caller sleeps never ends",
                        MACHINE,
                        "        contender.watch();\n        timePassed(contender);\n",
                        "        contender.watch();\n"),
                new Mutant(
                        "the deadline counts from the answer",
                        MACHINE,
                        "long deadline = sentAt + validity",
                        "long deadline = now + validity"),
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
                        MACHINE,
                        "        if (left) {\n            owe(contender.claim(), contender.claim().lease());\n        }\n",
                        ""),
                new Mutant(
                        "what may be on the server is not withdrawn",
                        MACHINE,
                        "        if (contender.mayBeOnServer()) {\n            owe(contender.claim(), contender.claim().lease());\n        }\n        boolean first",
                        "        boolean first"),
                new Mutant(
                        "a grant of no use is not given back",
                        MACHINE,
                        "        owe(grant.claim(), grant.claim().lease());\n",
                        ""),
                new Mutant(
                        "a lost grant is believed",
                        MACHINE,
                        "} else if (contender.news() == Signal.LOST) {",
                        "} else if (false) {"),
                new Mutant(
                        "a hand-off does not withdraw what its holder asked",
                        MACHINE,
                        "        if (next.mayBeOnServer()) {\n            owe(next.claim(), next.claim().lease());\n        }\n",
                        ""),
                new Mutant(
                        "the token of a hand-off does not grow",
                        LEASE,
                        "new HeldLease(grant, next, settings, grantedAt, handOffs + 1, now, began)",
                        "new HeldLease(grant, next, settings, grantedAt, handOffs, now, began)"),
                new Mutant(
                        "a raised floor does not end hand-offs",
                        MACHINE,
                        " && lease.grant.token() > tokenFloor) {",
                        ") {"),
                new Mutant(
                        "the next one is not called when a lease has ended",
                        MACHINE,
                        "        if (holder == lease) {\n            holder = null;\n            askFirst();\n        }\n",
                        "        if (holder == lease) {\n            holder = null;\n        }\n"),
                new Mutant(
                        "the next one is not called when the first gives up",
                        MACHINE,
                        "        if (first && holder == null) {\n            askFirst();\n        }\n",
                        ""),
                new Mutant(
                        "an older lease is believed beside a newer grant",
                        MACHINE,
                        "        if (older != null && older.alive()) {",
                        "        if (false) {"),
                new Mutant(
                        "a refusal is taken for the end of a wait",
                        MACHINE,
                        "        if (contender.isOver(now)) {\n            took(Transition.REFUSED);",
                        "        if (true) {\n            took(Transition.REFUSED);"),
                new Mutant(
                        "an outage is called contention",
                        MACHINE,
                        "            took(Transition.FAILED_TOO_LONG);\n            fail(contender, failure);",
                        "            took(Transition.FAILED_TOO_LONG);\n            contended(contender);"),
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
                        "            joined(e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Answered is dropped",
                        MACHINE,
                        "            answered(e.contender(), e.sentAt(), e.attempt(), e.failure());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event GivenBack is dropped",
                        MACHINE,
                        "            givenBack(e.lease(), e.call());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event ReleaseAnswered is dropped",
                        MACHINE,
                        "            releaseAnswered(e.lease(), e.found(), e.failure());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Slept is dropped",
                        MACHINE,
                        "            slept(e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event TimePassed is dropped",
                        MACHINE,
                        "            timePassed(e.subject(), e.by());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Signalled is dropped",
                        MACHINE,
                        "            signalled(e.contender(), e.holder(), e.signal());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Renewed is dropped",
                        MACHINE,
                        "            renewed(e.lease(), e.sentAt(), e.renewal());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Dropped is dropped",
                        MACHINE,
                        "            dropped(e.contender());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event OwedAnswered is dropped",
                        MACHINE,
                        "            owedAnswered(e.owed(), e.failure());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event Extended is dropped",
                        MACHINE,
                        "            extended(e.lease(), e.sentAt(), e.asked());\n",
                        "            assert e != null;\n"),
                new Mutant("event Told is told twice", MACHINE, "            lease.toldBy = 0;\n", ""),
                new Mutant(
                        "event Closing is dropped",
                        MACHINE,
                        "            close(e.turns());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event GaveUp is dropped",
                        MACHINE,
                        "            finish(e.contender(), e.outcome());\n",
                        "            assert e != null;\n"),
                new Mutant(
                        "event FloorRaised is dropped",
                        MACHINE,
                        "            tokenFloor = Math.max(tokenFloor, e.serverToken());\n",
                        "            assert e != null;\n"),
                new Mutant("event Closed is dropped", MACHINE, "        closed = true;\n        for", "        for"));
    }

    /** One for each effect, which is dropped, and one for their order. */
    static List<Mutant> ofEffects() {
        return List.of(
                new Mutant(
                        "effect Acquire is dropped",
                        DRIVER,
                        "                e.contender().turns.take(new AcquireTurn(e.contender(), e.claim()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Complete is dropped",
                        DRIVER,
                        "                e.contender().result.complete(e.outcome());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Release is dropped",
                        DRIVER,
                        "                releaseCall(e.lease()).turns.take(new ReleaseTurn(e.lease()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect CompleteRelease is dropped",
                        DRIVER,
                        "                e.call().result.complete(e.found());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Report is dropped",
                        DRIVER,
                        "                services.notices.accept(e.notice());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Wake is dropped",
                        DRIVER,
                        "                wake(e.subject());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Tell is dropped",
                        DRIVER,
                        "                tell(e.lease(), e.awaited());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Transfer is dropped",
                        DRIVER,
                        "                releaseCall(e.from()).turns.take(new TransferTurn(e.from(), e.contender(), e.claim()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Withdraw is dropped",
                        DRIVER,
                        "                services.threads.requests.execute(() -> withdraw(e.owed()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Renew is dropped",
                        DRIVER,
                        "                renewals.renew(e.lease());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect FailRelease is dropped",
                        DRIVER,
                        "                e.call().result.completeExceptionally(e.failure());\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effects are started in the opposite order",
                        DRIVER,
                        "start(batch.get(started++));",
                        "start(batch.get(batch.size() - 1 - started++));"));
    }
}
