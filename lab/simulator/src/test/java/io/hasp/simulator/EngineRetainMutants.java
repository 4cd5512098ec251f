package io.hasp.simulator;

import io.hasp.conformance.mutants.SourceMutant;
import java.util.List;

/** Faults in what the engine does with a lock that has to stay taken, each against one of the sentences of decision 33. */
final class EngineRetainMutants {
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String RELEASES = "engine/machine/PendingReleases.java";
    private static final String TERMS = "engine/lease/LeaseTerms.java";

    private EngineRetainMutants() {}

    static List<SourceMutant> all() {
        return List.of(
                new SourceMutant(
                        "retain: the lock is released",
                        "engine/machine/ReleasePolicy.java",
                        "        if (lease.staysFor(lock.now) > 0) {",
                        "        if (false) {"),
                new SourceMutant(
                        "retain: a lease that is lost is released",
                        RELEASES,
                        "boolean withdraws = lease.staysFor(lock.now) <= 0 && !lease.lostToWork();",
                        "boolean withdraws = true;"),
                new SourceMutant(
                        "retain: the lock stays for half of the time",
                        LEASE,
                        "heldSince + least + Nanos.drift(least) - now",
                        "heldSince + least / 2 - now"),
                new SourceMutant(
                        "retain: the server is asked for less than that time",
                        TERMS,
                        "lease.compareTo(whole) < 0 ? whole : lease",
                        "lease"),
                new SourceMutant(
                        "retain: such a lock is taken over from another lease",
                        TERMS,
                        "return renewed() && takenAtLeast.isEmpty();",
                        "return renewed();"));
    }
}
