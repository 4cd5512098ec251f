/**
 * Redis Cluster: a connection to each master that has slots, and the way of a call to the one that has its slot.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.cluster;

import org.jspecify.annotations.NullMarked;
