package io.hasp.redis;

import static io.hasp.redis.ConfigChecks.require;

import java.time.Duration;

/**
 * The replicas that must receive a grant before it counts. A grant that is not acknowledged in time is released, and the attempt fails.
 * Such a failure never looks like contention. Immutable.
 *
 * <p>Not guaranteed: a lock that survives every failover. A replica that has not acknowledged may be promoted. Renewals, releases and token
 * floors do not wait for replicas. If the number is larger than the number of replicas, no grant is ever acknowledged.
 *
 * @param replicas the number of replicas, from 1 to 100
 * @param within the longest wait for them after the master has granted, from 1 ms
 */
public record Acknowledgement(int replicas, Duration within) {
    /**
     * The longest wait unless another is given: many round trips between servers of one region, and a small part of a lease. Replicas in
     * another region need more.
     */
    public static final Duration DEFAULT_WITHIN = Duration.ofMillis(50);

    static final int MOST = 100;
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /**
     * Checks both values.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public Acknowledgement {
        require(
                replicas >= 1 && replicas <= MOST,
                "acknowledge is " + replicas + ": it is a number of replicas, from 1 to " + MOST);
        require(
                within != null && within.compareTo(SHORTEST) >= 0,
                "acknowledgeWithin is " + within + ": it must be from 1 ms to half of commandTimeout");
    }

    void requireWithin(Duration commandTimeout) {
        require(
                within.compareTo(commandTimeout.dividedBy(2)) <= 0,
                "acknowledgeWithin is " + within + ": it must be from 1 ms to half of commandTimeout, which is "
                        + commandTimeout);
    }
}
