package io.hasp.spi;

import java.time.Duration;

/**
 * What a holder asks of the backend.
 *
 * @param name what is to be locked
 * @param holder who asks; asking again with the same holder is the same attempt, never a second one
 * @param lease how long the server shall keep the lock without renewal; at least one millisecond. Where a session, not a
 *     lease, is what the server enforces, the engine gives the lock up at the end of it
 * @param queue whether the holder is ready to wait. If false the backend leaves nothing behind when the lock is busy
 * @param renewed whether the engine is going to renew the grant for as long as it is held, so that one which is good for less
 *     than the lease at first will do; if false, a backend that enforces leases grants the whole lease
 */
public record Claim(LockName name, HolderId holder, Duration lease, boolean queue, boolean renewed) {}
