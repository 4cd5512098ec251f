package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in effects of the engine: each is dropped, some come twice, and one fault changes their order. */
final class EngineEffectMutants {
    private static final String DRIVER = "engine/driver/LockDriver.java";
    private static final String EFFECTS = "engine/driver/EffectStarter.java";

    private EngineEffectMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "effect Acquire is dropped",
                        EFFECTS,
                        "                e.contender().executor.execute(requests.acquire(e));\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Complete is dropped",
                        EFFECTS,
                        "                e.contender().result.complete(e.outcome());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "the only effect is dropped if it only wakes a thread",
                        DRIVER,
                        "            if (wakeUp != null) {\n                effectStarter.start(wakeUp);\n            }\n        } catch",
                        "        } catch"),
                new SourceMutant(
                        "the only effect is started twice if it only wakes a thread",
                        DRIVER,
                        "        batch.clear();\n        return effect;\n",
                        "        return effect;\n"),
                new SourceMutant(
                        "effect Release is dropped",
                        EFFECTS,
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect CompleteRelease is dropped",
                        EFFECTS,
                        "                e.call().result.complete(e.found());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Report is dropped",
                        EFFECTS,
                        "                services.notices.accept(e.notice());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "the end of a wait is not reported if the caller gets the lock",
                        "engine/machine/ReleaseSteps.java",
                        "        WaitEndSteps.reportWaitEnd(lock, contender);\n        contender",
                        "        contender"),
                new SourceMutant(
                        "a lease of a client that closes is reported to end, and was not reported to begin",
                        "engine/machine/LeaseSteps.java",
                        "        if (lease.endAwaited && lock.settings.observed()) {\n            lock.effects",
                        "        if (lock.settings.observed()) {\n            lock.effects"),
                new SourceMutant(
                        "a loss that a release finds is reported as the end of a lease",
                        "engine/machine/ReleaseSteps.java",
                        "Notice.Lost.ENDED_BEFORE",
                        "lease.heldFor(lock.now)"),
                new SourceMutant(
                        "effect Wake is dropped",
                        EFFECTS,
                        "                wake(e.subject());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Notify is dropped",
                        EFFECTS,
                        "                notifyObservers(e.lease(), e.awaited());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Transfer is dropped",
                        EFFECTS,
                        "                releaseCall(e.from()).executor.execute(requests.transfer(e));\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Transfer of a caller that left is made by whoever hands it over",
                        "engine/driver/BackendRequests.java",
                        "        services.threads.background.execute(request::run);",
                        "        request.run();"),
                new SourceMutant(
                        "effect Withdraw is dropped",
                        EFFECTS,
                        "                services.threads.background.execute(requests.withdrawal(e.release()));\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect Withdraw comes twice",
                        EFFECTS,
                        "                services.threads.background.execute(requests.withdrawal(e.release()));\n",
                        "                services.threads.background.execute(requests.withdrawal(e.release()));\n                services.threads.requests.execute(() -> services.backend.release(e.release().claim));\n"),
                new SourceMutant(
                        "effect Release comes twice",
                        EFFECTS,
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n",
                        "                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));\n                services.threads.requests.execute(() -> services.backend.release(e.lease().grant.claim()));\n"),
                new SourceMutant(
                        "effect Renew is dropped",
                        EFFECTS,
                        "                renewals.renew(e.lease());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effect FailRelease is dropped",
                        EFFECTS,
                        "                e.call().result.completeExceptionally(e.failure());\n",
                        "                assert e != null;\n"),
                new SourceMutant(
                        "effects are started in the opposite order",
                        DRIVER,
                        "Effect effect = batch.get(started);",
                        "Effect effect = batch.get(batch.size() - 1 - started);"));
    }
}
