package io.hasp.evaluation.report;

import io.hasp.evaluation.servers.RedisTopology;

/** How many servers keep a lock, and what follows when one of them is lost. */
enum Topology {
    /** A Redis server alone. */
    ONE_SERVER("One Redis server: a failover or a restart without its data may forget a lock."),
    /** A Redis master with replicas that receive its writes later. */
    REPLICATED(
            "A master with replicas: a failover may forget a lock that no replica had received, unless the lock waits for them"
                    + " (acknowledge with Hasp)."),
    /** Redis servers that know nothing of each other, of which a majority decides. */
    INDEPENDENT_SERVERS("It takes independent servers whose clocks keep pace; without a majority there are no locks."),
    /** ZooKeeper servers that agree on every write. */
    ENSEMBLE("Every lock is a write to the disks of a majority; without a majority there are no locks.");

    private final String caveat;

    Topology(String caveat) {
        this.caveat = caveat;
    }

    /** By the servers, or else by the name of the lock: results of earlier runs say no more. */
    static Topology of(ResultsDocument document, String lock) {
        boolean replicated = document.subjects().stream()
                .filter(each -> each.subject().equals(lock))
                .flatMap(each -> RedisTopology.in(each.service()).stream())
                .anyMatch(each -> each != RedisTopology.STANDALONE);
        if (replicated) {
            return REPLICATED;
        }
        if (lock.contains("zookeeper") || lock.contains("curator")) {
            return ENSEMBLE;
        }
        return lock.contains("redlock") ? INDEPENDENT_SERVERS : ONE_SERVER;
    }

    /** What to know before taking such a lock. */
    String caveat() {
        return caveat;
    }
}
