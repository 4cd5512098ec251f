package io.hasp.redis.diagnosis;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks what a server shows of itself: role, version, memory, persistence, replicas, cluster. */
final class ServerChecks {
    private static final int OLDEST = 6;
    private static final int SLOTS = 16_384;
    private static final String HIDDEN = "the server does not show it: permit INFO, or ask its operator";

    private final ServerFacts facts;
    private final ServiceDemands demands;
    private final Findings findings;

    ServerChecks(ServerFacts facts, ServiceDemands demands, Findings findings) {
        this.facts = facts;
        this.demands = demands;
        this.findings = findings;
    }

    void run() {
        version();
        role();
        policy();
        memory();
        persistence();
        replicas();
        if (demands.cluster()) {
            cluster();
        }
    }

    private void version() {
        Optional<String> valkey = facts.shown("valkey_version").map(version -> "Valkey " + version);
        Optional<String> known = valkey.or(() -> facts.shown("redis_version").map(version -> "Redis " + version));
        if (known.isEmpty()) {
            findings.unknown("version", HIDDEN);
            return;
        }
        String number = known.get().substring(known.get().indexOf(' ') + 1);
        boolean supported = number.matches("\\d{1,4}\\..*") && Integer.parseInt(number.split("\\.")[0]) >= OLDEST;
        if (supported) {
            findings.ok("version", known.get());
        } else {
            findings.fail("version", known.get() + " is too old: locks need version " + OLDEST + " or later");
        }
    }

    private void role() {
        if (facts.shows("role", "slave") || facts.refusedWith("READONLY")) {
            findings.fail("role", "the server is a replica, which takes no locks: give the address of the master");
        } else if (!demands.cluster() && facts.shows("cluster_enabled", "1")) {
            findings.fail("role", "the server is a node of a cluster: the scheme for a cluster is redis-cluster");
        } else {
            findings.ok("role", "it takes writes");
        }
    }

    private void policy() {
        String check = "eviction policy";
        Optional<String> policy = facts.shown("maxmemory_policy");
        if (policy.isEmpty()) {
            findings.unknown(check, HIDDEN + "; any other than noeviction may evict a lock while it is held");
        } else if (policy.get().equals("noeviction")) {
            findings.ok(check, "noeviction");
        } else if (demands.evictionAccepted()) {
            findings.warn(check, policy.get() + " may evict a lock while it is held; eviction=accepted permits that");
        } else {
            findings.fail(
                    check, policy.get() + " may evict a lock while it is held, so clients refuse it: set noeviction");
        }
    }

    private void memory() {
        OptionalLong most = facts.number("maxmemory");
        OptionalLong used = facts.number("used_memory");
        boolean full = most.isPresent() && most.getAsLong() > 0 && used.orElse(0) >= most.getAsLong();
        if (full || facts.refusedWith("OOM")) {
            findings.fail("memory", "the server's memory is full, so it refuses new locks: raise maxmemory");
        } else if (most.isEmpty() || used.isEmpty()) {
            findings.unknown("memory", HIDDEN);
        } else {
            findings.ok(
                    "memory",
                    most.getAsLong() == 0
                            ? "the server has no limit"
                            : String.format(
                                    Locale.ROOT,
                                    "%d %% of maxmemory is used",
                                    used.getAsLong() * 100 / most.getAsLong()));
        }
    }

    private void persistence() {
        String check = "persistence";
        if (facts.refusedWith("MISCONF")) {
            findings.fail(check, "the server can't save its data, so it refuses writes (MISCONF): look at its log");
        } else if (facts.shown("aof_enabled").isEmpty()) {
            findings.unknown(check, HIDDEN);
        } else if (facts.shows("aof_enabled", "1")) {
            findings.ok(check, "the server has an append-only file");
        } else if (demands.majority()) {
            findings.warn(
                    check,
                    "without an append-only file, a node that restarts forgets its grants: set appendonly yes"
                            + " with appendfsync always, or restart a node only after the longest lease");
        } else {
            findings.ok(check, "without an append-only file, a restart frees all locks; no promise depends on it");
        }
    }

    private void replicas() {
        long connected = facts.number("connected_slaves").orElse(-1);
        long good = facts.number("min_slaves_good_slaves").orElse(connected);
        if (demands.acknowledging() > 0) {
            String wanted = "acknowledge=" + demands.acknowledging();
            if (connected < 0) {
                findings.unknown("replicas", HIDDEN + "; " + wanted + " needs them");
            } else if (good < demands.acknowledging()) {
                findings.fail("replicas", wanted + " can't be met: " + good + " replicas are connected");
            } else {
                findings.ok("replicas", wanted + ", and " + good + " replicas are connected");
            }
        } else if (connected > 0) {
            findings.warn(
                    "replicas",
                    connected + " replicas are connected: a failover may lose a grant that they had not received;"
                            + " acknowledge=1 waits for them");
        } else if (connected == 0) {
            findings.ok("replicas", "none");
        } else {
            findings.unknown("replicas", HIDDEN);
        }
    }

    private void cluster() {
        String check = "cluster state";
        OptionalLong served = facts.number("cluster_slots_ok");
        if (facts.shown("cluster_state").isEmpty()) {
            findings.unknown(check, "the server does not show it: permit CLUSTER INFO");
        } else if (!facts.shows("cluster_state", "ok") || served.orElse(SLOTS) < SLOTS) {
            findings.fail(
                    check,
                    "cluster_state is " + facts.shown("cluster_state").orElse("") + ", and " + served.orElse(0) + " of "
                            + SLOTS + " slots are served: the other locks can't be taken");
        } else {
            findings.ok(check, "all slots are served");
        }
    }
}
