package io.hasp.simulator;

import java.util.List;

/** Faults in effects of the engine: each is dropped, some come twice, and one fault changes their order. */
final class EngineEffectMutants {
    private static final String DRIVER = "engine/LockDriver.java";
    private static final String EFFECTS = "engine/EffectStarter.java";

    private EngineEffectMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "effect Acquire is dropped",
                        EFFECTS,
                        "                e.contender().executor.execute(requests.acquire(e));\n",
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
                        "the end of a wait is not reported if the caller gets the lock",
                        "engine/ReleaseSteps.java",
                        "        WaitEndSteps.reportWaitEnd(lock, contender);\n        contender",
                        "        contender"),
                new Mutant(
                        "a lease of a client that closes is reported to end, and was not reported to begin",
                        "engine/LeaseSteps.java",
                        "        if (lease.endAwaited && lock.settings.observed()) {\n            lock.effects",
                        "        if (lock.settings.observed()) {\n            lock.effects"),
                new Mutant(
                        "a loss that a release finds is reported as the end of a lease",
                        "engine/ReleaseSteps.java",
                        "Notice.Lost.ENDED_BEFORE",
                        "lease.heldFor(lock.now)"),
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
                        "                releaseCall(e.from()).executor.execute(requests.transfer(e));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Transfer of a caller that left is made by whoever hands it over",
                        "engine/BackendRequests.java",
                        "        services.threads.background.execute(request::run);",
                        "        request.run();"),
                new Mutant(
                        "effect Withdraw is dropped",
                        EFFECTS,
                        "                services.threads.background.execute(requests.withdrawal(e.owed()));\n",
                        "                assert e != null;\n"),
                new Mutant(
                        "effect Withdraw comes twice",
                        EFFECTS,
                        "                services.threads.background.execute(requests.withdrawal(e.owed()));\n",
                        "                services.threads.background.execute(requests.withdrawal(e.owed()));\n                services.threads.requests.execute(() -> services.backend.release(e.owed().claim));\n"),
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
                        "Effect effect = batch.get(started);",
                        "Effect effect = batch.get(batch.size() - 1 - started);"));
    }
}
