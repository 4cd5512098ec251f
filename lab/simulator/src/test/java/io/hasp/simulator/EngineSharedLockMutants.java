package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults of the engine with locks that several share, and with holders that keep a part of their share. */
final class EngineSharedLockMutants {
    private static final String SHARED = "engine/machine/SharedLeases.java";
    private static final String CLOSE_STEPS = "engine/machine/CloseSteps.java";
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String CLAIM = "engine/machine/Contender.java";
    private static final String LOWER_STEPS = "engine/machine/LowerSteps.java";
    private static final String WAIT_STEPS = "engine/machine/WaitEndSteps.java";

    private EngineSharedLockMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "share: every claim asks for an exclusive lock",
                        CLAIM,
                        "terms.share().isExclusive() ? claim : claim.withShare(terms.share())",
                        "claim"),
                new SourceMutant(
                        "share: a new lease replaces the others",
                        SHARED,
                        "        if (sharing.isEmpty()) {\n            sharing = new LinkedHashMap<>();",
                        "        if (true) {\n            sharing = new LinkedHashMap<>();"),
                new SourceMutant(
                        "share: an older lease is believed beside a newer grant that leaves it no room",
                        SHARED,
                        "if (older.alive() && older.excludes",
                        "if (!older.alive() && older.excludes"),
                new SourceMutant(
                        "share: a late grant is believed beside a later one that leaves it no room",
                        "engine/machine/AttemptSteps.java",
                        "contender.news() == Signal.LOST || lock.leases.overtaken(grant)",
                        "contender.news() == Signal.LOST"),
                new SourceMutant(
                        "share: a signal is for the first lease",
                        SHARED,
                        "        return sharing.get(id);",
                        "        return sharing.values().stream().findFirst().orElse(null);"),
                new SourceMutant(
                        "share: those at the front do not ask",
                        SHARED,
                        "            if (contender.is(Contender.Phase.QUEUED) && !represented(contender, true)) {\n                lock.ask(contender);",
                        "            if (contender.is(Contender.Phase.QUEUED)) {\n                return;"),
                new SourceMutant(
                        "permits: more are handed on than were held",
                        CLAIM,
                        "\n                && terms.share().equals(lease.terms.share());",
                        ";"),
                new SourceMutant(
                        "permits: a place on the server is nobody's",
                        SHARED,
                        "            places.get(i).takePlaceOf(places.get(i - 1));\n",
                        ""),
                new SourceMutant(
                        "permits: who moves up when its wait is over does not ask",
                        SHARED,
                        "        if (contender.isOver(lock.now)) {\n            lock.ask(contender);",
                        "        if (false) {\n            lock.ask(contender);"),
                new SourceMutant(
                        "permits: the place of one that left is handed on",
                        CLAIM,
                        "            phase = Phase.LEFT;\n",
                        "            phase = Phase.RESTING;\n"),
                new SourceMutant(
                        "an answer that is told again counts again",
                        CLAIM,
                        "return inFlight && requests == request;",
                        "return true;"),
                new SourceMutant(
                        "permits: who moves up believes what the one before it was told",
                        CLAIM,
                        "        leftBehind = other.leftBehind;\n",
                        "        leftBehind = other.leftBehind;\n        seenBusy = other.seenBusy;\n        lastFailure = other.lastFailure;\n"),
                new SourceMutant(
                        "permits: who waits here is forgotten",
                        SHARED,
                        "            if (other != contender && onServer && other",
                        "            if (onServer || other"),
                new SourceMutant(
                        "share: nobody asks before the end of a wait",
                        WAIT_STEPS,
                        "        } else if (!contender.inFlight()) {\n            lock.ask(contender);",
                        "        } else if (!contender.inFlight()) {\n            lock.queue.overdue = true;"),
                new SourceMutant(
                        "share: closing gives back one lease",
                        CLOSE_STEPS,
                        "        for (HeldLease lease : lock.leases.all()) {",
                        "        for (HeldLease lease : lock.leases.all().stream().limit(1).toList()) {"),
                new SourceMutant(
                        "lower: the old lease is believed beside the new one",
                        LOWER_STEPS,
                        "        LeaseSteps.advance(lock, lease, GIVEN_BACK);\n",
                        ""),
                new SourceMutant(
                        "lower: the server is not told",
                        LOWER_STEPS,
                        "        lock.effects.add(new Effect.Renew(lowered));\n",
                        ""),
                new SourceMutant(
                        "lower: a lowering without an answer is not repeated for a caller that waits for it",
                        "engine/machine/WaitEndSteps.java",
                        "        LeaseSteps.lowerNow(lock, contender);\n",
                        ""),
                new SourceMutant(
                        "lower: the new lease has no timer when it is renewed",
                        LOWER_STEPS,
                        "        lock.setAlarm(lowered);\n        lock.effects.add(new Effect.Renew(lowered));\n",
                        "        lock.effects.add(new Effect.Renew(lowered));\n"),
                new SourceMutant(
                        "lower: the machine forgets the new lease",
                        LOWER_STEPS,
                        "        lock.leases.put(lowered);\n",
                        ""),
                new SourceMutant(
                        "lower: a lease that is over is lowered",
                        LOWER_STEPS,
                        "        if (!lease.alive()) {",
                        "        if (false) {"),
                new SourceMutant(
                        "lower: a reader has the token of the writer that it was",
                        LEASE,
                        "? index + 1 : index;",
                        "? index : index;"),
                new SourceMutant(
                        "lower: the claim still asks for all",
                        LEASE,
                        "Claim smaller = grant.claim().withShare(less);",
                        "Claim smaller = grant.claim();"),
                new SourceMutant(
                        "lower: a fixed lease grows on the server",
                        LEASE,
                        "terms.renewed() ? smaller : smaller.withLease(SHORTEST)",
                        "smaller.withLease(Duration.ofHours(1))"),
                new SourceMutant(
                        "event Lowering is dropped",
                        "engine/machine/Event.java",
                        "            LowerSteps.lower(lock, lease, call);\n",
                        "            assert lock != null;\n"),
                new SourceMutant(
                        "effect CompleteLowering is dropped",
                        "engine/driver/EffectStarter.java",
                        "            } else if (effect instanceof Effect.CompleteLowering e) {\n                e.call().result.complete(Optional.ofNullable(e.lease()));\n            }\n        } catch",
                        "            }\n        } catch"));
    }
}
