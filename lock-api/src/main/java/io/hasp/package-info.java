/**
 * Distributed locks. Start at {@link io.hasp.LockClient#connect(String)}.
 *
 * <p>A lease is a claim, not a proof: after a long pause another may hold the lock before this process notices. Send
 * {@link io.hasp.Lease#fencingToken()} with every protected write.
 */
@NullMarked
package io.hasp;

import org.jspecify.annotations.NullMarked;
