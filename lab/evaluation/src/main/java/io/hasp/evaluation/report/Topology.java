package io.hasp.evaluation.report;

import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Service;

/** The servers that keep a lock. */
enum Topology {
    /** A Redis server alone: a failover or a restart without its data may forget a lock. */
    ONE_SERVER,
    /** A Redis master with replicas that receive its writes later. */
    REPLICATED,
    /** A PostgreSQL server alone, which syncs each commit: a restart forgets nothing, a failover may. */
    DATABASE,
    /** Redis servers that are independent of each other, with decisions by majority. */
    INDEPENDENT_SERVERS,
    /** ZooKeeper servers that agree on every write. */
    ENSEMBLE;

    static final String REDIS = Service.REDIS.title();
    static final String ZOOKEEPER = Service.ZOOKEEPER.title();
    static final String POSTGRES = Service.POSTGRES.title();

    /** Returns the kind of servers, for a user who runs some already. */
    String servers() {
        return switch (this) {
            case ONE_SERVER, REPLICATED, INDEPENDENT_SERVERS -> REDIS;
            case ENSEMBLE -> ZOOKEEPER;
            case DATABASE -> POSTGRES;
        };
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
        if (lock.endsWith("postgres") || lock.endsWith("jdbc")) {
            return DATABASE;
        }
        return lock.contains("redlock") ? INDEPENDENT_SERVERS : ONE_SERVER;
    }
}
