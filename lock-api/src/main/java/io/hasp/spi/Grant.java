package io.hasp.spi;

import java.time.Duration;

/**
 * The server says that this holder has the lock.
 *
 * @param claim what was asked
 * @param token the fencing token: positive, below 2<sup>55</sup>, strictly greater for every later grant of the same lock
 *     name, equal when the same holder asks again
 * @param validity how long the grant is good for, counted from the moment <em>before</em> the call that brought it
 */
public record Grant(Claim claim, long token, Duration validity) {}
