package io.hasp.redis.diagnosis;

/**
 * The demands of a configuration on its servers. Immutable.
 *
 * @param evictionAccepted true if servers may evict locks
 * @param acknowledging the number of replicas that must have each grant; zero for none
 * @param cluster true if the servers are nodes of a cluster
 * @param majority true for the nodes of Redlock
 */
public record ServiceDemands(boolean evictionAccepted, int acknowledging, boolean cluster, boolean majority) {}
