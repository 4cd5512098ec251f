package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in rows of the transition table that no other mutant breaks. */
final class EngineTransitionMutants {
    private static final String RELEASES = "engine/machine/PendingReleases.java";
    private static final String CONTROL = "engine/LeaseControl.java";
    private static final String ATTEMPT_STEPS = "engine/machine/AttemptSteps.java";
    private static final String WAIT_STEPS = "engine/machine/WaitEndSteps.java";
    private static final String RELEASE_STEPS = "engine/machine/ReleaseSteps.java";
    private static final String LEASE_STEPS = "engine/machine/LeaseSteps.java";
    private static final String RENEWAL = "engine/lease/GrantRenewal.java";

    private EngineTransitionMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "JOINED_CLOSING: a caller that joins a closing client makes a request",
                        ATTEMPT_STEPS,
                        "        if (lock.closing != null) {\n            lock.took(Transition.JOINED_CLOSING);",
                        "        if (false) {\n            lock.took(Transition.JOINED_CLOSING);"),
                new SourceMutant(
                        "ANSWERED_LATE: what left nothing is withdrawn again",
                        ATTEMPT_STEPS,
                        "left ? lock.releases.withdraw(claim, claim.lease()) : null",
                        "lock.releases.withdraw(claim, claim.lease())"),
                new SourceMutant(
                        "LOOKED: nobody asks before the end of a wait",
                        ATTEMPT_STEPS,
                        "            WaitEndSteps.look(lock, contender);\n",
                        ""),
                new SourceMutant(
                        "LEASE_SUSPECT: observers hear of doubt with the next news",
                        LEASE_STEPS,
                        "                notifyObservers(lock, lease, new Notice.Suspect(lock.name, lease.token(), life.deadline() - lock.now));\n",
                        "                lock.effects.add(new Effect.Report(new Notice.Suspect(lock.name, lease.token(), 1)));\n"),
                new SourceMutant(
                        "LEASE_RESTORED: a lease is not renewed at once",
                        LEASE_STEPS,
                        "                lease.renewal.restored(lock.now);\n",
                        ""),
                new SourceMutant(
                        "LEASE_RESTORED: a lease is not doubted",
                        LEASE_STEPS,
                        "                lease.renewal.restored(lock.now);\n                doubt(lock, lease);\n",
                        "                lease.renewal.restored(lock.now);\n"),
                new SourceMutant(
                        "GRANTED: a grant from before the backend was there again is believed",
                        ATTEMPT_STEPS,
                        "            if (news != null) {",
                        "            if (news != null && news != Signal.RESTORED) {"),
                new SourceMutant(
                        "GRANTED: a grant from before the backend went away is believed",
                        ATTEMPT_STEPS,
                        "            if (news != null) {",
                        "            if (news != null && news != Signal.SUSPECT) {"),
                new SourceMutant(
                        "LEASE_RESTORED: a renewal that was under way is not repeated",
                        RENEWAL,
                        "        interruptions = before + 1;\n",
                        ""),
                new SourceMutant(
                        "LEASE_DOUBTED: a renewal that was under way confirms the lease",
                        RENEWAL,
                        "        doubt = unconfirmed();\n        interrupted();\n",
                        "        doubt = unconfirmed();\n"),
                new SourceMutant(
                        "LEASE_RESTORED: a renewal that was under way confirms the lease",
                        RENEWAL,
                        "            return new LeaseLife.Event.Doubted(\"\");",
                        "            return renewal instanceof Renewal.Renewed r ? ownConfirmed(sentAt, r) : new LeaseLife.Event.Doubted(\"\");"),
                new SourceMutant(
                        "LEASE_OVER_NOTIFYING: a lease at its end is withdrawn before its holder knows",
                        LEASE_STEPS,
                        "        if (life.deadline() == life.cap() && (lease.observed() || lease.stopsWork())) {",
                        "        if (false) {"),
                new SourceMutant(
                        "GRANTED_BAD_TOKEN: a token out of range is given out",
                        ATTEMPT_STEPS,
                        "} else if (!FencingTokens.canCarry(grant.token())) {",
                        "} else if (false) {"),
                new SourceMutant(
                        "GRANTED_CLOSING: a grant that comes while the client closes is a lease",
                        RELEASE_STEPS,
                        "        if (lock.closing != null) {",
                        "        if (false) {"),
                new SourceMutant(
                        "GONE_AGAIN: a wait ends at the fourth id that is gone",
                        ATTEMPT_STEPS,
                        "        if (again || !contender.isOver(lock.now)) {",
                        "        if (again) {"),
                new SourceMutant(
                        "GONE_FOR_GOOD: no new holder is called contention",
                        ATTEMPT_STEPS,
                        "            failForGood(\n                    lock, contender, unusable(BackendFailure.Kind.UNAVAILABLE, \"the backend takes no new holder id\"));\n",
                        "            WaitEndSteps.contended(lock, contender);\n"),
                new SourceMutant(
                        "FAILED: an outage is not waited out",
                        ATTEMPT_STEPS,
                        "            rest(lock, contender, contender.nextBackOff());\n",
                        "            WaitEndSteps.fail(lock, contender, failure);\n"),
                new SourceMutant(
                        "SIGNALLED_RESTING: a signal does not end a rest",
                        ATTEMPT_STEPS,
                        "        if (wakes) {\n            lock.ask(contender);\n        }\n",
                        ""),
                new SourceMutant(
                        "POLLED: a contender does not ask when its pause is over",
                        ATTEMPT_STEPS,
                        "            lock.took(Transition.POLLED);\n            goOn(lock, contender);\n",
                        "            lock.took(Transition.POLLED);\n"),
                new SourceMutant(
                        "OVERDUE: the next answer does not end an undecided wait",
                        WAIT_STEPS,
                        "        if (lock.leases.firstAsksForAll()) {\n            lock.queue.overdue = true;\n",
                        "        if (lock.leases.firstAsksForAll()) {\n"),
                new SourceMutant(
                        "RELEASED_TWICE: a second release counts",
                        RELEASE_STEPS,
                        "ReleaseCall.Found.ALREADY_RELEASED",
                        "ReleaseCall.Found.RELEASED"),
                new SourceMutant(
                        "RELEASED_LOST: the release of a lost lease says RELEASED",
                        RELEASE_STEPS,
                        "            LeaseSteps.returned(lock, lease);\n            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));\n",
                        "            LeaseSteps.returned(lock, lease);\n            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));\n"),
                new SourceMutant(
                        "RELEASE_FAILED: a release without an answer is not tried again",
                        RELEASE_STEPS,
                        "            lock.releases.withdraw(lease);\n",
                        ""),
                new SourceMutant(
                        "LEASE_DOUBTED: doubt is not told to the lease",
                        LEASE_STEPS,
                        "                lease.renewal.doubt();\n                doubt(lock, lease);\n",
                        "                lease.renewal.doubt();\n"),
                new SourceMutant(
                        "LEASE_LOST: a loss is not told", LEASE_STEPS, "        reportLoss(lock, lease, life);\n", ""),
                new SourceMutant(
                        "LEASE_OVER_NOTIFIED: a lease at its end is not withdrawn",
                        LEASE_STEPS,
                        "            lock.leases.notifying -= lease.endNotifying();\n            giveUp(lock, lease);\n",
                        "            lock.leases.notifying -= lease.endNotifying();\n"),
                new SourceMutant(
                        "RENEWAL_DENIED: the answer to an extension is not told to the lease",
                        CONTROL,
                        "                of.driver.apply(new Event.Renewed(of.lease, sentAt, renewal));\n",
                        ""),
                new SourceMutant(
                        "EXTENDED: an extension counts from its answer",
                        LEASE_STEPS,
                        "sentAt + asked - Nanos.drift(asked)",
                        "lock.now + asked - Nanos.drift(asked)"),
                new SourceMutant(
                        "EXTENDED: the answer of a former server counts",
                        LEASE_STEPS,
                        "        if (lease.renewal.interruptions() != interruptions) {",
                        "        if (false) {"),
                new SourceMutant(
                        "EXTENDED: an extension is told, and not confirmed",
                        LEASE_STEPS,
                        "        advance(lock, lease, lease.renewal.extended(sentAt, renewed));\n",
                        ""),
                new SourceMutant(
                        "PENDING_FAILED: a withdrawal that failed is not tried again",
                        RELEASES,
                        "            lock.setAlarm(release, release.nextTry(lock.now));\n",
                        ""),
                new SourceMutant(
                        "PENDING_AGAIN: a withdrawal whose pause is over is not tried again",
                        RELEASES,
                        "            lock.effects.add(new Effect.Withdraw(due));\n",
                        ""),
                new SourceMutant(
                        "PENDING_GIVEN_UP: a closed client withdraws for ever",
                        RELEASES,
                        "} else if (closed || release.over(lock.now)) {",
                        "} else if (release.over(lock.now)) {"));
    }
}
